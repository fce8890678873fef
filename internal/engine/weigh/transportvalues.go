package weigh

import (
	"slices"

	"paretoplay/algo/transport"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/portable"
)

// PeerValues holds the values of a plan under the names that other libraries use. docs/peers.md lists the results of each
// library.
type PeerValues struct {
	POT map[string]float64 `json:"pot"`           // POT 0.9.7
	OTT map[string]float64 `json:"ott,omitempty"` // ott-jax 0.6, which has no exact solver
}

// peerValues returns the values of a plan. The plan is exact, or has entropic regularization reg > 0 in the unit of the
// costs.
//
// Let s be the sum of the masses. Each value is Σ Γ C plus reg times one of these:
//
//	Σ Γ log(Γ/(a bᵀ))              the KL divergence of Γ from a bᵀ, as POT has it
//	Σ Γ log(Γ/(a bᵀ)) − s + s²     the same for masses of any sum, as ott has it
//	Σ Γ log Γ                      the negative entropy
func peerValues(in *data.TransportInput, plan *transport.Plan, reg float64) *PeerValues {
	out := &PeerValues{POT: map[string]float64{"solve.value_linear": plan.Cost}, OTT: map[string]float64{}}
	if reg == 0 {
		out.POT["emd2"], out.POT["solve.value"] = plan.Cost, plan.Cost
		return out
	}
	var entropy, products float64 // Σ Γ log Γ, Σ Γ log(a bᵀ)
	sum := portable.Sum(in.A)
	scale := sum / portable.Sum(in.B)
	i := 0
	for row := range slices.Chunk(plan.Mass, len(in.B)) {
		for j, mass := range row {
			if mass > 0 {
				entropy += float64(mass * portable.Log(mass))
				products += float64(mass * (portable.Log(in.A[i]) + portable.Log(in.B[j]*scale)))
			}
		}
		i++
	}
	extra := float64(sum*sum) - sum // 0 for probabilities
	out.POT["sinkhorn2"], out.OTT["primal_cost"] = plan.Cost, plan.Cost
	out.POT["solve.value"] = plan.Cost + float64(reg*(entropy-products))
	out.OTT["reg_ot_cost"] = plan.Cost + float64(reg*(entropy-products+extra))
	out.POT[`solve.value, reg_type="entropy"`] = plan.Cost + float64(reg*entropy)
	out.OTT["dual_cost"] = plan.Cost + float64(reg*entropy)
	out.OTT["ent_reg_cost"] = plan.Cost + float64(reg*(entropy+extra))
	return out
}
