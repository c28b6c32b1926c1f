// A histogram in dynamic LDS, with the block size from the implicit arguments: what HIP C++ makes of them is under test.
// build.sh compiles it with clang where it is installed.

#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __device__ __attribute__((device))


__device__ static unsigned thread() { return __builtin_amdgcn_workitem_id_x(); }
__device__ static unsigned block() { return __builtin_amdgcn_workgroup_id_x(); }
__device__ static unsigned block_size() { return __builtin_amdgcn_workgroup_size_x(); }
__device__ static unsigned grid_size() { return __builtin_amdgcn_grid_size_x(); }

extern "C" __global__ void histogram(const unsigned *values, unsigned n, unsigned *bins, unsigned bin_count, double *mean)
{
    extern __shared__ unsigned local[];
    for (unsigned i = thread(); i < bin_count; i += block_size()) local[i] = 0;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    for (unsigned i = block() * block_size() + thread(); i < n; i += grid_size())
        __hip_atomic_fetch_add(&local[values[i] % bin_count], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    for (unsigned i = thread(); i < bin_count; i += block_size())
        __hip_atomic_fetch_add(&bins[i], local[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    // Division in double precision: div_scale, div_fmas, div_fixup.
    if (block() == 0 && thread() < 64) mean[thread()] = (double)values[thread()] / (double)(thread() + 3) + (double)((float)values[thread()] / (float)(thread() + 7));
}
