; A loop of dependent arithmetic on each element: integer, float, select.

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare float @llvm.fma.f32(float, float, float)

define amdgpu_kernel void @arithmetic(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %wg = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = shl i32 %wg, 8
  %index = add i32 %base, %tid
  %wide = zext i32 %index to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %x = load float, ptr addrspace(1) %p
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k1, %loop ]
  %f = phi float [ %x, %0 ], [ %f3, %loop ]
  %i = phi i32 [ %index, %0 ], [ %i4, %loop ]
  %i1 = mul i32 %i, 1664525
  %i2 = add i32 %i1, 1013904223
  %i3 = lshr i32 %i2, 9
  %i4 = xor i32 %i2, %i3
  %g = uitofp i32 %i3 to float
  %f1 = call float @llvm.fma.f32(float %g, float 0x3E80000000000000, float %f)
  %f2 = fmul float %f1, 0.5
  %c = fcmp ogt float %f2, 0.125
  %s = fsub float %f2, 0.25
  %f3 = select i1 %c, float %s, float %f2
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 100
  br i1 %more, label %loop, label %store
store:
  %o = getelementptr float, ptr addrspace(1) %out, i64 %wide
  store float %f3, ptr addrspace(1) %o
  ret void
}

attributes #0 = { nounwind "amdgpu-flat-work-group-size"="256,256" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
