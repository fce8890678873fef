package formula_test

import (
	"fmt"

	"paretoplay/algo/formula"
)

// This example parses two formulas and computes values, a gradient and a Hessian-vector product.
func Example() {
	p, err := formula.Parse("f1 = (x1 - 1)^2 + a*x2^2\nf2 = exp(-x1) + sum(i, 1, n, x[i]^2)\na = 3", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, gradient, product := make([]float64, 2), make([]float64, 2), make([]float64, 2)
	x := []float64{2, 1}
	p.Values(f, x)
	p.Gradient(gradient, 0, x)
	p.HessianProduct(product, 0, x, []float64{1, 0})
	fmt.Printf("f = %.3f, ∇f1 = %v, ∇²f1·d = %v\n", f, gradient, product)
	_, err = formula.Parse("1/2x1", 0)
	fmt.Println(err)
	// Output:
	// f = [4.000 5.135], ∇f1 = [2 6], ∇²f1·d = [2 0]
	// 1:4: * or brackets: a product without * after / or ^ is ambiguous
}
