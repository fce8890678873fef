// @ts-check
import { element, intend } from './dom.js';

const CHOICES = /** @type {const} */ ([['system', 'System'], ['light', 'Light'], ['dark', 'Dark']]);

/**
 * Manages the theme: the system's, or the visitor's choice.
 * @param {HTMLElement} root  holds the control
 */
export function createTheme(root) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const page = document.documentElement;

  const select = element(
    'select',
    { id: 'theme', onchange: choose },
    ...CHOICES.map(([value, label]) => element('option', { value }, label)),
  );
  select.value = page.dataset.theme ?? 'system';
  root.append(element('label', { class: 'icon-select', title: 'Theme' }, element('span', { class: 'visually-hidden' }, 'Theme'),
    element('span', { 'aria-hidden': 'true', class: 'theme-icon' }), select));

  /** @returns {'light'|'dark'} */
  function name() {
    if (page.dataset.theme === 'light' || page.dataset.theme === 'dark') return page.dataset.theme;
    return dark.matches ? 'dark' : 'light';
  }

  function choose() {
    if (select.value === 'system') delete page.dataset.theme;
    else page.dataset.theme = select.value;
    try {
      if (select.value === 'system') localStorage.removeItem('theme');
      else localStorage.setItem('theme', select.value);
    } catch {
      // A sandboxed embedding has no storage, so the choice lasts until the visitor leaves the page.
      page.dataset.storage = 'refused';
    }
    announce();
  }

  // If another tab changes the theme, it changes here too, unless the address requests one.
  addEventListener('storage', ({ key, newValue, storageArea }) => {
    if (storageArea !== localStorage || (key !== 'theme' && key !== null) || 'themed' in page.dataset) return;
    if (newValue === 'light' || newValue === 'dark') page.dataset.theme = newValue;
    else delete page.dataset.theme;
    select.value = page.dataset.theme ?? 'system';
    announce();
  });

  const announce = () => intend(root, 'page:theme');
  dark.addEventListener('change', announce);
  still.addEventListener('change', announce);
  return { name, reducedMotion: () => still.matches };
}
