// Package federated learns from the data of many clients that differ. The objectives are the
// clients' training losses, and a gradient is the update of a client's local training.
//
// Throughout, n is the number of clients and m the number of solutions. A model is a multinomial
// logistic regression θ with C rows, one for each class. A row holds a weight for every feature,
// and the bias last.
package federated
