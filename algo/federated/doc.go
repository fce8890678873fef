// Package federated is learning from the data of many clients which differ: the
// objectives are the clients' training losses, and a gradient is what a client's own
// training makes of a model.
//
// Throughout, n is the number of clients, m the number of solutions, and a model is a
// multinomial logistic regression θ of C rows, one a class, of as many weights as
// there are features and the bias last.
package federated
