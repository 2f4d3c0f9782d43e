print("pulse-digest")
