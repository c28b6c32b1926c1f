	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text

	.globl row_bcast
	.p2align 8
	.type row_bcast,@function
row_bcast:
	.long 0x7e0402fa
	.long 0xff014200
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel row_bcast
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
	.text

	.globl row_share
	.p2align 8
	.type row_share,@function
row_share:
	v_mov_b32_dpp v2, v0 row_share:15 row_mask:0xf bank_mask:0xf
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel row_share
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
	.text
