module paretoplay

go 1.26
