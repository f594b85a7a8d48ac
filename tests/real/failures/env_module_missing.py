# causes: env.module_missing
# needs: 
def main():
    import flash_attn_interface_v9


main()
