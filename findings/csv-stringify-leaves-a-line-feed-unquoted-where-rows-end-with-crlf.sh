#!/usr/bin/env bash
# Expected: a CSV whose rows end with CRLF quotes a text with a line feed alone, too: RFC 4180 has no line break outside of
# quotes, and most readers end a row at either one.
# Seen: csv-stringify quotes a text for the separator of its rows alone. With the separator CRLF a text with a line feed, or
# with a carriage return, stands unquoted, and the module for CSV of Python reads two rows. The option `quoted_match` cures it.
# csv-stringify 6.9.0; seen 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund csv-stringify@6.9.0 >/dev/null
cat > write.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';

const rows = [['two\nlines', 'x']];
for (const [name, options] of [['lf', {}], ['crlf', { record_delimiter: 'windows' }],
  ['cured', { record_delimiter: 'windows', quoted_match: /[\r\n]/ }]]) {
  writeFileSync(`${name}.csv`, stringify(rows, options));
}
JS
node write.mjs
cat > read.py <<'PY'
import csv
for name in ['lf', 'crlf', 'cured']:
    with open(f'{name}.csv', newline='') as file:
        print(name, len(list(csv.reader(file))))
PY
seen=$(python3 read.py)
echo "$seen"
[ "$seen" = 'lf 1
crlf 2
cured 1' ]
