import { el, notice } from './dom.ts';
import { api } from './session.ts';

/** What the letter of a forgotten password links to: `#reset-password=<realm>.<token>`. */
export interface Reset {
  realm: 'advertiser' | 'publisher';
  token: string;
}

export function resetOf(hash: string): Reset | null {
  const match = /^#reset-password=(advertiser|publisher)\.([\w-]{1,200})$/.exec(hash);
  const [, realm, token] = match ?? [];
  if (token === undefined || (realm !== 'advertiser' && realm !== 'publisher')) return null;
  return { realm, token };
}

/** A form for the new password; `run` shows what the API refuses. */
export function resetPage(
  { realm, token }: Reset,
  run: (step: () => Promise<void>) => Promise<void>,
): HTMLElement {
  const field = (name: string) =>
    el('input', { name, type: 'password', autocomplete: 'new-password', required: '' });
  const chosen = field('new_password');
  const repeated = field('confirm_password');
  const form = el(
    'form',
    { id: 'reset-password' },
    el('h2', {}, `New ${realm} password`),
    el('label', {}, 'New password', chosen),
    el('label', {}, 'Once more', repeated),
    el('button', { class: 'primary', type: 'submit' }, 'Set password'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(async () => {
      const body = { token, new_password: chosen.value, confirm_password: repeated.value };
      await api.call(`POST /api/${realm}/auth/reset-password`, { body });
      // The token is spent; it should not stay in the address either.
      history.replaceState(null, '', location.pathname);
      notice('');
      form.replaceChildren(el('h2', {}, 'Your new password is set'));
    });
  });
  return form;
}
