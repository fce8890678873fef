// Package federated trains models on data that are spread over many clients and differ between them. The objectives are
// the clients' training losses. A gradient is the update from one client's local training.
//
// Throughout, n is the number of clients and m the number of solutions. A model is a multinomial logistic regression
// θ with C rows, one per class. A row contains a weight for every feature, followed by the bias.
package federated
