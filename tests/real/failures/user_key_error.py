# causes: user_code.bug user_code.config
# needs: 
def lr(config):
    return config["optimizer"]["lr"]


lr({"optimizer": {}})
