module platform.example/e2e/go

go 1.26
