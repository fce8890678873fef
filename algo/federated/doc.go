// Package federated learns from the data of many clients that differ: the objectives
// are the clients' training losses, and a gradient is the update of a client's local
// training.
//
// Throughout, n is the number of clients, m the number of solutions, and a model is a
// multinomial logistic regression θ with C rows, one for each class, each holding a
// weight for every feature and the bias last.
package federated
