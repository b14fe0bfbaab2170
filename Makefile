# A short front to Meson. Every target installs what it needs from Debian first.
.PHONY: run build test check bench bench-quick bench-curves clean

npm_stamp = tests/e2e/js/node_modules/.package-lock.json

run: build
	@exec build/ordna serve

build:
	@tools/setup.sh build
	@tools/build.sh build --buildtype=release -Dtests=false

test: build
	@tools/setup.sh test
	@$(MAKE) --no-print-directory $(npm_stamp)
	@tools/build.sh build-test -Db_sanitize=address,undefined -Dwerror=true
	@tools/test.py

check:
	@tools/setup.sh check
	@CC=clang CXX=clang++ tools/build.sh build-check -Dwerror=true
	@tools/check.py

bench: build
	@tools/bench.sh

bench-quick: build
	@tools/bench.sh --quick

bench-curves: build
	@tools/bench.sh --parts curves --items 10000 1000000 10000000

clean:
	rm -rf build build-test build-check build-fuzz tests/e2e/js/node_modules

$(npm_stamp): tests/e2e/js/package-lock.json
	npm ci --prefix tests/e2e/js --no-audit --no-fund
	@touch $@
