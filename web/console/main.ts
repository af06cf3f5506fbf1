import { ApiError } from '../client/client.ts';
import { byId, el, notice } from './dom.ts';
import { resetOf, resetPage } from './reset-page.ts';
import { api, session } from './session.ts';
import { taskPage } from './task-page.ts';

/** The operator desk: log in, see what waits, decide it. */
const REFRESH_MS = 5_000;
const main = byId('main');
const logout = byId('logout') as HTMLButtonElement;
let listed = false;

function show(...content: HTMLElement[]): void {
  main.replaceChildren(...content);
}

function loginPage(): void {
  listed = false;
  logout.hidden = true;
  byId('who').textContent = '';
  const username = el('input', { name: 'username', autocomplete: 'username', required: '' });
  const password = el('input', {
    name: 'password',
    type: 'password',
    autocomplete: 'current-password',
    required: '',
  });
  const form = el(
    'form',
    { id: 'login' },
    el('label', {}, 'Username', username),
    el('label', {}, 'Password', password),
    el('button', { class: 'primary', type: 'submit' }, 'Log in'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void login(username.value, password.value);
  });
  show(form);
}

async function login(username: string, password: string): Promise<void> {
  await guarded(async () => {
    const data = await api.call('POST /api/admin/auth/login', { body: { username, password } });
    session.set(data.token);
    notice('');
    await listPage();
  });
}

async function listPage(): Promise<void> {
  const data = await api.call('GET /api/admin/tasks', {
    query: { status: 'open', page_size: 100 },
  });
  const profile = await api.call('GET /api/admin/auth/profile');
  byId('who').textContent = `${profile.username} · ${profile.role}`;
  logout.hidden = false;
  listed = true;
  const rows = data.items.map((task) => {
    const open = el('button', { 'data-open': String(task.id) }, 'Open');
    open.addEventListener('click', () => void openTask(task.id));
    return el(
      'tr',
      { 'data-kind': task.kind, 'data-subject': `${task.subject.type}:${task.subject.id}` },
      el('td', {}, String(task.id)),
      el('td', {}, task.kind),
      el('td', {}, task.summary),
      el('td', {}, task.opened_at.slice(0, 16).replace('T', ' ')),
      el('td', {}, open),
    );
  });
  const head = el('tr', {}, ...['', 'Kind', 'What', 'Since', ''].map((text) => el('th', {}, text)));
  show(
    el('h2', {}, `${data.total} waiting`),
    el('table', { id: 'tasks' }, el('thead', {}, head), el('tbody', {}, ...rows)),
  );
}

async function openTask(id: number): Promise<void> {
  await guarded(async () => {
    listed = false;
    show(await taskPage(id, () => void guarded(listPage)));
  });
}

/** A refusal is shown in the API's words; an ended session leads back to the login. */
async function guarded(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error));
    if (error instanceof ApiError && error.status === 401) {
      session.set(null);
      loginPage();
    }
  }
}

logout.addEventListener('click', () => {
  void guarded(async () => {
    await api.call('POST /api/admin/auth/logout');
    session.set(null);
    loginPage();
  });
});

setInterval(() => {
  if (listed) void guarded(listPage);
}, REFRESH_MS);

const reset = resetOf(location.hash);
if (reset !== null) show(resetPage(reset, guarded));
else if (session.token === null) loginPage();
else void guarded(listPage);
