module botyard

go 1.19
