import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

/** What the consoles import in place of all of Mantine's styles. */
const NAME = 'virtual:mantine-styles.css';
const MANTINE = 'node_modules/@mantine';
/** Before those of the components. */
const FIRST = ['baseline', 'default-css-variables', 'global'];
/** As Mantine names what it draws: `m_8d3f4000`. */
const CLASS = /\bm_[\da-f]{6,8}\b/g;

/**
 * Styles of those components that the consoles use, and of what these are made of: all of them would be
 * twice as much for each browser to read before it shows anything.
 */
export function mantineStyles(consoleDir: string): Plugin {
  const mantine = path.join(consoleDir, '../..', MANTINE);
  const users = [consoleDir, path.join(mantine, 'notifications')];
  return {
    name: 'mantine-styles',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) =>
      id === `\0${NAME}` ? stylesOf(path.join(mantine, 'core'), users.flatMap(namesIn)) : null,
  };
}

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => path.join(folder, file));

const textOf = (file: string): string => readFileSync(file, 'utf8');

/** Everything that a folder's sources import from Mantine by name. */
const namesIn = (folder: string): string[] =>
  filesIn(folder, /\.(tsx|mjs)$/).flatMap((file) =>
    [...textOf(file).matchAll(/import \{([^}]*)\} from ['"]@mantine\/core['"]/g)].flatMap(
      ([, names = '']) => names.split(',').map((name) => name.trim().split(' ')[0] ?? ''),
    ),
  );

function stylesOf(core: string, names: readonly string[]): string {
  const classes = classesOf(path.join(core, 'esm'), names);
  const styles = path.join(core, 'styles');
  // Where two say something of one element, the later one holds: their order is that of the whole.
  const whole = textOf(path.join(core, 'styles.css'));
  const used = filesIn(styles, /^[A-Z]\w*\.css$/)
    .map(textOf)
    .map((css) => ({ css, own: css.match(CLASS) ?? [] }))
    .filter(({ own }) => own.some((name) => classes.has(name)))
    .toSorted((a, b) => whole.indexOf(`.${a.own[0]}`) - whole.indexOf(`.${b.own[0]}`));
  return [
    ...FIRST.map((name) => textOf(path.join(styles, `${name}.css`))),
    ...used.map(({ css }) => css),
  ].join('\n');
}

/** The classes of components, and of all that their files import. */
function classesOf(esm: string, names: readonly string[]): Set<string> {
  const classes = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    // What gathers everything leads everywhere.
    if (seen.has(file) || path.basename(file) === 'index.mjs') return;
    seen.add(file);
    const source = textOf(file);
    if (file.endsWith('.module.mjs'))
      for (const name of source.match(CLASS) ?? []) classes.add(name);
    for (const [, from = ''] of source.matchAll(/from "(\.[^"]+)"/g)) {
      visit(path.resolve(path.dirname(file), from));
    }
  };
  for (const name of new Set(names)) {
    const file = path.join(esm, 'components', name, `${name}.mjs`);
    if (/^[A-Z]/.test(name) && existsSync(file)) visit(file);
  }
  return classes;
}
