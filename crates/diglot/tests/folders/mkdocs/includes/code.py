# --8<-- [start:one]
print(1)
# --8<-- [end:one]
print(2)
