// Package descent provides steppers that follow a common descent direction of smooth objectives: x ← x − η·Gᵀλ.
package descent
