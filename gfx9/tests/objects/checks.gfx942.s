	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text

	.globl unwritten_vgpr
	.p2align 8
	.type unwritten_vgpr,@function
unwritten_vgpr:
	v_add_u32 v1, v0, v7
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel unwritten_vgpr
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl unwritten_vgpr_ok
	.p2align 8
	.type unwritten_vgpr_ok,@function
unwritten_vgpr_ok:
	v_mov_b32 v7, 1
	v_add_u32 v1, v0, v7
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel unwritten_vgpr_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl unwritten_sgpr
	.p2align 8
	.type unwritten_sgpr,@function
unwritten_sgpr:
	s_add_u32 s8, s9, 1
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel unwritten_sgpr
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl unwritten_sgpr_ok
	.p2align 8
	.type unwritten_sgpr_ok,@function
unwritten_sgpr_ok:
	s_mov_b32 s9, 1
	s_add_u32 s8, s9, 1
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel unwritten_sgpr_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl unwritten_lds
	.p2align 8
	.type unwritten_lds,@function
unwritten_lds:
	v_lshlrev_b32 v1, 2, v0
	ds_read_b32 v2, v1
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel unwritten_lds
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl unwritten_lds_ok
	.p2align 8
	.type unwritten_lds_ok,@function
unwritten_lds_ok:
	v_lshlrev_b32 v1, 2, v0
	ds_write_b32 v1, v0
	ds_read_b32 v2, v1
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel unwritten_lds_ok
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl lds_outside
	.p2align 8
	.type lds_outside,@function
lds_outside:
	v_lshlrev_b32 v1, 2, v0
	ds_write_b32 v1, v0
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel lds_outside
		.amdhsa_group_segment_fixed_size 128
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl lds_outside_ok
	.p2align 8
	.type lds_outside_ok,@function
lds_outside_ok:
	v_lshlrev_b32 v1, 2, v0
	ds_write_b32 v1, v0
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel lds_outside_ok
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl inactive_dpp
	.p2align 8
	.type inactive_dpp,@function
inactive_dpp:
	s_mov_b32 exec_lo, 0x55555555
	s_mov_b32 exec_hi, 0x55555555
	v_mov_b32 v1, 1
	s_nop 4
	v_mov_b32_dpp v2, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:0
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel inactive_dpp
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl inactive_dpp_ok
	.p2align 8
	.type inactive_dpp_ok,@function
inactive_dpp_ok:
	v_mov_b32 v1, 1
	s_nop 4
	v_mov_b32_dpp v2, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:0
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel inactive_dpp_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl inactive_readlane
	.p2align 8
	.type inactive_readlane,@function
inactive_readlane:
	s_mov_b64 exec, 1
	v_mov_b32 v0, 1
	s_nop 4
	v_readlane_b32 s8, v0, 5
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel inactive_readlane
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl inactive_readlane_ok
	.p2align 8
	.type inactive_readlane_ok,@function
inactive_readlane_ok:
	v_mov_b32 v0, 1
	s_nop 4
	s_mov_b64 exec, 1
	s_nop 4
	v_readlane_b32 s8, v0, 5
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel inactive_readlane_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl inactive_bpermute
	.p2align 8
	.type inactive_bpermute,@function
inactive_bpermute:
	s_mov_b64 exec, 0xff
	v_mov_b32 v1, 64
	ds_bpermute_b32 v2, v1, v0
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel inactive_bpermute
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl inactive_bpermute_ok
	.p2align 8
	.type inactive_bpermute_ok,@function
inactive_bpermute_ok:
	v_mov_b32 v1, 64
	ds_bpermute_b32 v2, v1, v0
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel inactive_bpermute_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl missing_vmcnt
	.p2align 8
	.type missing_vmcnt,@function
missing_vmcnt:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_lshlrev_b32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[8:9]
	v_add_u32 v3, v2, v0
	s_waitcnt vmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel missing_vmcnt
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl missing_vmcnt_ok
	.p2align 8
	.type missing_vmcnt_ok,@function
missing_vmcnt_ok:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_lshlrev_b32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[8:9]
	s_waitcnt vmcnt(0)
	v_add_u32 v3, v2, v0
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel missing_vmcnt_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl short_vmcnt
	.p2align 8
	.type short_vmcnt,@function
short_vmcnt:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_lshlrev_b32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[8:9]
	global_load_dword v4, v1, s[8:9]
	s_waitcnt vmcnt(1)
	v_add_u32 v3, v4, v0
	s_waitcnt vmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel short_vmcnt
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl short_vmcnt_ok
	.p2align 8
	.type short_vmcnt_ok,@function
short_vmcnt_ok:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_lshlrev_b32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[8:9]
	global_load_dword v4, v1, s[8:9]
	s_waitcnt vmcnt(1)
	v_add_u32 v3, v2, v0
	s_waitcnt vmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel short_vmcnt_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl missing_lgkmcnt
	.p2align 8
	.type missing_lgkmcnt,@function
missing_lgkmcnt:
	s_load_dword s8, s[0:1], 0x0
	s_add_u32 s9, s8, 1
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel missing_lgkmcnt
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl missing_lgkmcnt_ok
	.p2align 8
	.type missing_lgkmcnt_ok,@function
missing_lgkmcnt_ok:
	s_load_dword s8, s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	s_add_u32 s9, s8, 1
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel missing_lgkmcnt_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl dpp_hazard
	.p2align 8
	.type dpp_hazard,@function
dpp_hazard:
	v_mov_b32 v1, 1
	s_nop 0
	v_mov_b32_dpp v2, v1 row_mirror row_mask:0xf bank_mask:0xf
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel dpp_hazard
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl dpp_hazard_ok
	.p2align 8
	.type dpp_hazard_ok,@function
dpp_hazard_ok:
	v_mov_b32 v1, 1
	s_nop 1
	v_mov_b32_dpp v2, v1 row_mirror row_mask:0xf bank_mask:0xf
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel dpp_hazard_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl exec_hazard
	.p2align 8
	.type exec_hazard,@function
exec_hazard:
	v_cmpx_ge_u32 exec, v0, v0
	s_nop 3
	v_mov_b32_dpp v2, v0 row_mirror row_mask:0xf bank_mask:0xf
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel exec_hazard
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl exec_hazard_ok
	.p2align 8
	.type exec_hazard_ok,@function
exec_hazard_ok:
	v_cmpx_ge_u32 exec, v0, v0
	s_nop 4
	v_mov_b32_dpp v2, v0 row_mirror row_mask:0xf bank_mask:0xf
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel exec_hazard_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl lane_select_hazard
	.p2align 8
	.type lane_select_hazard,@function
lane_select_hazard:
	v_readfirstlane_b32 s8, v0
	s_nop 2
	v_readlane_b32 s9, v0, s8
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel lane_select_hazard
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl lane_select_hazard_ok
	.p2align 8
	.type lane_select_hazard_ok,@function
lane_select_hazard_ok:
	v_readfirstlane_b32 s8, v0
	s_nop 3
	v_readlane_b32 s9, v0, s8
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel lane_select_hazard_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl vmem_sgpr_hazard
	.p2align 8
	.type vmem_sgpr_hazard,@function
vmem_sgpr_hazard:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_lshlrev_b32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v2, s8
	v_mov_b32 v3, s9
	v_readfirstlane_b32 s10, v2
	v_readfirstlane_b32 s11, v3
	s_nop 3
	global_load_dword v4, v1, s[10:11]
	s_waitcnt vmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel vmem_sgpr_hazard
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl vmem_sgpr_hazard_ok
	.p2align 8
	.type vmem_sgpr_hazard_ok,@function
vmem_sgpr_hazard_ok:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_lshlrev_b32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v2, s8
	v_mov_b32 v3, s9
	v_readfirstlane_b32 s10, v2
	v_readfirstlane_b32 s11, v3
	s_nop 4
	global_load_dword v4, v1, s[10:11]
	s_waitcnt vmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel vmem_sgpr_hazard_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl race
	.p2align 8
	.type race,@function
race:
	v_lshlrev_b32 v1, 2, v0
	ds_write_b32 v1, v0
	s_waitcnt lgkmcnt(0)
	s_nop 0
	v_xor_b32 v2, 0x100, v1
	ds_read_b32 v3, v2
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel race
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl bare_barrier
	.p2align 8
	.type bare_barrier,@function
bare_barrier:
	v_lshlrev_b32 v1, 2, v0
	ds_write_b32 v1, v0
	s_nop 0
	s_barrier
	v_xor_b32 v2, 0x100, v1
	ds_read_b32 v3, v2
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel bare_barrier
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl race_ok
	.p2align 8
	.type race_ok,@function
race_ok:
	v_lshlrev_b32 v1, 2, v0
	ds_write_b32 v1, v0
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_xor_b32 v2, 0x100, v1
	ds_read_b32 v3, v2
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel race_ok
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl write_after_read
	.p2align 8
	.type write_after_read,@function
write_after_read:
	v_lshlrev_b32 v1, 2, v0
	ds_write_b32 v1, v0
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_xor_b32 v2, 0x100, v1
	ds_read_b32 v3, v2
	s_waitcnt lgkmcnt(0)
	ds_write_b32 v1, v3
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel write_after_read
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl write_after_read_ok
	.p2align 8
	.type write_after_read_ok,@function
write_after_read_ok:
	v_lshlrev_b32 v1, 2, v0
	ds_write_b32 v1, v0
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_xor_b32 v2, 0x100, v1
	ds_read_b32 v3, v2
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_write_b32 v1, v3
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel write_after_read_ok
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl divergent_barrier
	.p2align 8
	.type divergent_barrier,@function
divergent_barrier:
	v_readfirstlane_b32 s8, v0
	s_nop 4
	s_cmp_eq_u32 s8, 0
	s_cbranch_scc1 .Lelse
	s_barrier
	s_endpgm
	.Lelse:
	s_barrier
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel divergent_barrier
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl lonely_barrier
	.p2align 8
	.type lonely_barrier,@function
lonely_barrier:
	v_readfirstlane_b32 s8, v0
	s_nop 4
	s_cmp_eq_u32 s8, 0
	s_cbranch_scc1 .Lwait
	s_endpgm
	.Lwait:
	s_barrier
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel lonely_barrier
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl lonely_barrier_ok
	.p2align 8
	.type lonely_barrier_ok,@function
lonely_barrier_ok:
	s_barrier
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel lonely_barrier_ok
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl store_outside
	.p2align 8
	.type store_outside,@function
store_outside:
	v_mov_b32 v2, 0
	v_mov_b32 v3, 0x7fff
	global_store_dword v[2:3], v0, off
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel store_outside
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl ballot64
	.p2align 8
	.type ballot64,@function
ballot64:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_cmp_ge_u32 vcc, v0, v0
	v_mov_b32 v4, 0
	s_nop 4
	v_mov_b32 v2, vcc_lo
	v_mov_b32 v3, vcc_hi
	s_waitcnt lgkmcnt(0)
	global_store_dwordx2 v4, v[2:3], s[8:9]
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel ballot64
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl forever
	.p2align 8
	.type forever,@function
forever:
.Lagain:
	s_branch .Lagain
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel forever
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl trap
	.p2align 8
	.type trap,@function
trap:
	s_trap 2
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel trap
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl matrix
	.p2align 8
	.type matrix,@function
matrix:
	v_mfma_f32_4x4x1_16b_f32 v[4:7], v0, v0, v[4:7]
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel matrix
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text

	.globl counted
	.p2align 8
	.type counted,@function
counted:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_lshlrev_b32 v1, 2, v0
	v_lshlrev_b32 v2, 7, v0
	v_mov_b32 v5, 0
	ds_write_b32 v2, v5
	s_waitcnt lgkmcnt(0)
	global_load_dword v3, v1, s[8:9]
	global_load_dword v4, v2, s[8:9]
	s_waitcnt vmcnt(0)
	s_barrier
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel counted
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text
