#!/bin/sh
# Builds the code objects of the tests from the LLVM IR and assembly beside this file.
set -e
cd "$(dirname "$0")"
for source in *.ll *.s; do
    name=${source%.*}
    for target in gfx90a:64 gfx942:64 gfx1100:32 gfx1100:64 gfx1200:32 gfx1200:64; do
        cpu=${target%:*} wave=${target#*:}
        case "$source" in
        *.gfx942.s) [ "$cpu" = gfx942 ] || continue ;;
        *.gfx1100.s) [ "$target" = gfx1100:32 ] || continue ;;
        esac
        attr=""
        [ "$cpu" = gfx90a ] || [ "$cpu" = gfx942 ] || attr="-mattr=+wavefrontsize$wave"
        case "$source" in
        *.ll) llc-22 -O3 -mtriple=amdgcn-amd-amdhsa -mcpu=$cpu $attr -filetype=obj "$source" -o /tmp/$$.o ;;
        *.s) llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=$cpu $attr -filetype=obj "$source" -o /tmp/$$.o ;;
        esac
        case "$source" in
        *.gfx*.s) out=$name ;;
        *) out=$name.$cpu.w$wave ;;
        esac
        ld.lld-22 -shared -s /tmp/$$.o -o "$out.hsaco"
        rm /tmp/$$.o
    done
done

command -v clang-19 > /dev/null || { echo "no clang-19: HIP objects are left as they are"; exit 0; }
for source in *.hip; do
    name=${source%.*}
    for target in gfx90a:64 gfx942:64 gfx1100:32 gfx1100:64 gfx1200:32 gfx1200:64; do
        cpu=${target%:*} wave=${target#*:}
        attr=""
        [ "$cpu" != gfx90a ] && [ "$cpu" != gfx942 ] && [ "$wave" = 64 ] && attr="-mwavefrontsize64"
        clang-19 -x hip --cuda-device-only --offload-arch=$cpu $attr -nogpulib -nogpuinc -fuse-cuid=none --no-gpu-bundle-output -O3 -ffp-contract=off \
            -S -emit-llvm "$source" -o /tmp/$$.ll
        [ "$cpu" = gfx90a ] || [ "$cpu" = gfx942 ] && attr="" || attr="-mattr=+wavefrontsize$wave"
        llc-22 -O3 -mtriple=amdgcn-amd-amdhsa -mcpu=$cpu $attr -filetype=obj /tmp/$$.ll -o /tmp/$$.o
        ld.lld-22 -shared -s /tmp/$$.o -o "$name.$cpu.w$wave.hsaco"
        rm /tmp/$$.ll /tmp/$$.o
    done
done
clang-19 -x c -DHOST -O1 -ffp-contract=off -mf16c -mfma -Xclang -ffloat16-excess-precision=none operations.hip -lm -o /tmp/$$.host
/tmp/$$.host > operations.expected
rm /tmp/$$.host
