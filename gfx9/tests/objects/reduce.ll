; One f32 sum for each workgroup: a DPP ladder in rows, a permute across them, then LDS and a barrier across waves.
; Parameters: input, output, number of elements. Up to 32 waves.

@partial = internal addrspace(3) global [32 x float] poison, align 16

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 immarg)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
declare i32 @llvm.amdgcn.wavefrontsize()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare void @llvm.amdgcn.s.barrier()

define internal float @dpp_xor(float %v, i32 %kind) alwaysinline {
  %i = bitcast float %v to i32
  %a1 = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %i, i32 177, i32 15, i32 15, i1 true)
  %f1 = bitcast i32 %a1 to float
  %s1 = fadd float %v, %f1
  %i1 = bitcast float %s1 to i32
  %a2 = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %i1, i32 78, i32 15, i32 15, i1 true)
  %f2 = bitcast i32 %a2 to float
  %s2 = fadd float %s1, %f2
  %i2 = bitcast float %s2 to i32
  %a3 = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %i2, i32 321, i32 15, i32 15, i1 true)
  %f3 = bitcast i32 %a3 to float
  %s3 = fadd float %s2, %f3
  %i3 = bitcast float %s3 to i32
  %a4 = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %i3, i32 320, i32 15, i32 15, i1 true)
  %f4 = bitcast i32 %a4 to float
  %s4 = fadd float %s3, %f4
  ret float %s4
}

define internal float @permute(float %v, i32 %lane, i32 %mask) alwaysinline {
  %from = xor i32 %lane, %mask
  %byte = shl i32 %from, 2
  %i = bitcast float %v to i32
  %p = call i32 @llvm.amdgcn.ds.bpermute(i32 %byte, i32 %i)
  %f = bitcast i32 %p to float
  %s = fadd float %v, %f
  ret float %s
}

define amdgpu_kernel void @reduce(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %wg = call i32 @llvm.amdgcn.workgroup.id.x()
  %implicit = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %sizep = getelementptr i8, ptr addrspace(4) %implicit, i64 12
  %size16 = load i16, ptr addrspace(4) %sizep
  %size = zext i16 %size16 to i32
  %base = mul i32 %wg, %size
  %index = add i32 %base, %tid
  %inside = icmp ult i32 %index, %n
  br i1 %inside, label %load, label %go
load:
  %wide = zext i32 %index to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %x = load float, ptr addrspace(1) %p
  br label %go
go:
  %v = phi float [ %x, %load ], [ 0.0, %0 ]
  %lo = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %lane = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %lo)
  %s4 = call float @dpp_xor(float %v, i32 0)
  %s5 = call float @permute(float %s4, i32 %lane, i32 16)
  %w = call i32 @llvm.amdgcn.wavefrontsize()
  %is64 = icmp eq i32 %w, 64
  br i1 %is64, label %wide64, label %ready
wide64:
  %half = lshr i32 %lane, 5
  %s6 = call float @permute(float %s5, i32 %lane, i32 32)
  br label %ready
ready:
  %s = phi float [ %s6, %wide64 ], [ %s5, %go ]
  %wave = udiv i32 %tid, %w
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %put, label %sync
put:
  %slot = getelementptr [32 x float], ptr addrspace(3) @partial, i32 0, i32 %wave
  store float %s, ptr addrspace(3) %slot
  br label %sync
sync:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %leader = icmp eq i32 %tid, 0
  br i1 %leader, label %sum, label %end
sum:
  %up = add i32 %size, %w
  %up1 = sub i32 %up, 1
  %waves = udiv i32 %up1, %w
  br label %loop
loop:
  %k = phi i32 [ 0, %sum ], [ %k1, %loop ]
  %acc = phi float [ 0.0, %sum ], [ %acc1, %loop ]
  %from = getelementptr [32 x float], ptr addrspace(3) @partial, i32 0, i32 %k
  %one = load float, ptr addrspace(3) %from
  %acc1 = fadd float %acc, %one
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %waves
  br i1 %more, label %loop, label %store
store:
  %wg64 = zext i32 %wg to i64
  %o = getelementptr float, ptr addrspace(1) %out, i64 %wg64
  store float %acc1, ptr addrspace(1) %o
  br label %end
end:
  ret void
}

attributes #0 = { nounwind "amdgpu-flat-work-group-size"="1,1024" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
