package scene

import "testing"

// TestUnfolding checks that a picture is whole until Pour is called with animation on. It must then grow until it is
// whole again, and rest.
func TestUnfolding(t *testing.T) {
	always := func() bool { return true }
	u := NewUnfolding(2)
	if u.Flows() || u.Share() != 1 {
		t.Errorf("at first: got flows %v, share %v", u.Flows(), u.Share())
	}
	u.Pour()
	if u.Flows() || u.Share() != 1 {
		t.Errorf("without motion: got flows %v, share %v", u.Flows(), u.Share())
	}
	u.Animate(true)
	last := -1.0
	for i := 0; u.Flows(); i++ {
		if now := u.Share(); now <= last || now >= 1 || i > 50 {
			t.Fatalf("after %d frames: got share %v, %v before", i, now, last)
		}
		last = u.Share()
		if _, err := u.Flow(1./20, always); err != nil {
			t.Fatal(err)
		}
	}
	if last < 0.9 || u.Share() != 1 {
		t.Errorf("at the end: got shares %v and %v", last, u.Share())
	}
	u.Pour()
	if u.Share() != 0 || u.Part(0.2, 0.6) != 0 {
		t.Errorf("after Pour: got share %v", u.Share())
	}
	for range 10 {
		u.Flow(1./10, always)
	}
	if got := u.Part(0.25, 0.75); got < 0.49 || got > 0.51 {
		t.Errorf("half-way: got part %v", got)
	}
	u.Flow(100, always) // a tab that was in the background
	if u.Share() > 0.65 {
		t.Errorf("after a long frame: got share %v", u.Share())
	}
	u.End()
	if u.Flows() || u.Share() != 1 {
		t.Errorf("after End: got share %v", u.Share())
	}
	u.Pour()
	u.Animate(false)
	if u.Share() != 1 {
		t.Errorf("animation off: got share %v", u.Share())
	}
}
