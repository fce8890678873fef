package ownproblem

import "paretoplay/internal/engine/scene"

// ready holds the cards with problems from the literature, given as texts.
var ready = []scene.Preset{
	{ID: "fonseca", Title: "Fonseca’s problem, written out",
		Lead: "The front’s points are on the line between two dips, and the front bulges away from the origin.",
		Text: "These formulas define the problem in the scene of periodic weights (Fonseca & Fleming 1996).",
		Values: map[string]string{"f1": "1 - exp(-sum(i, 1, n, (x[i]-1/sqrt(n))^2))", "f2": "1 - exp(-sum(i, 1, n, (x[i]+1/sqrt(n))^2))",
			"define": "n = 2", "region": "1.2", "starts": "10", "eta": "0.3"}},
	{ID: "kursawe", Title: "Kursawe’s problem, smoothed",
		Lead: "The front is in pieces; points between them are worse in both objectives than points on a piece.",
		Text: "Kursawe’s problem (1990). The term s smooths its kinks at 0, so gradients exist everywhere.",
		Values: map[string]string{"f1": "sum(i, 1, n-1, -10*exp(-0.2*sqrt(x[i]^2 + x[i+1]^2 + s)))",
			"f2": "sum(i, 1, n, (x[i]^2 + s)^0.4 + 5*sin(x[i]^3))", "define": "n = 2\ns = 0.01", "box": "-2, 2", "eta": "0.01", "starts": "12",
			"method": "mgda"}},
	{ID: "zdt1", Title: "ZDT1 as in its paper", Hero: "objective",
		Lead: "MGDA stops where f₁ cannot fall further; a weighted sum continues to the front.",
		Text: "The part g measures how far a point is from the front, where g = 1 (Zitzler, Deb & Thiele 2000). x₁ stays slightly above 0, " +
			"as the root has no slope at 0.",
		Values: map[string]string{"f1": "x1", "f2": "g*(1 - sqrt(x1/g))", "define": "n = 5\ng = 1 + 9*sum(i, 2, n, x[i])/(n-1)\n" +
			"x in [0, 1]\nx1 in [0.0001, 1]", "method": "mgda,ls", "ls.weights": "equal", "eta": "0.02", "starts": "6", "budget": "600",
			"speed": "200"}},
}
