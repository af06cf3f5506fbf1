import { el, notice } from './dom.ts';
import { api, type Finding, type Task } from './session.ts';

/** One task with all that its decision needs, and a button per decision. */
export async function taskPage(id: number, back: () => void): Promise<HTMLElement> {
  const task = await api.call('GET /api/admin/tasks/{id}', { path: { id } });
  const page = el('section', { 'data-task': String(task.id) });
  const backButton = el('button', {}, '← All tasks');
  backButton.addEventListener('click', back);
  const note = el('textarea', { name: 'note', rows: '2', placeholder: 'Reason or note' });
  const actions = el('div', { class: 'actions' });
  for (const decision of task.decisions) {
    const button = el('button', { class: 'primary', 'data-decision': decision }, decision);
    button.disabled = task.status !== 'open';
    button.addEventListener('click', () => {
      void decide(task, decision, note.value).then((done) => {
        if (done) back();
      });
    });
    actions.append(button);
  }
  page.append(
    backButton,
    el('h2', {}, `${task.kind} · ${task.subject.type} ${task.subject.id}`),
    el('p', {}, task.summary),
    ...task.findings.map(findingRow),
    ...pictures(task),
    el('pre', {}, JSON.stringify(task, null, 2)),
    el(
      'p',
      {},
      el(
        'a',
        { href: task.temporal_url ?? '', target: '_blank', rel: 'noreferrer' },
        'Follow this flow',
      ),
    ),
    el('label', {}, 'Note', note),
    actions,
  );
  return page;
}

async function decide(task: Task, decision: string, note: string): Promise<boolean> {
  const text = note.trim();
  if (decision === 'reject' && text === '') {
    notice('A rejection needs a reason.');
    return false;
  }
  try {
    await api.call('POST /api/admin/tasks/{id}/decision', {
      path: { id: task.id },
      body: {
        decision,
        ...(text === '' ? {} : { note: text }),
        ...(decision === 'reject' ? { reasons: [{ code: 'OTHER', note: text }] } : {}),
      },
    });
    notice(`Task ${task.id}: ${decision} recorded.`);
    return true;
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error));
    return false;
  }
}

function findingRow(finding: Finding): HTMLElement {
  const where = finding.field === undefined ? '' : ` (${finding.field})`;
  return el(
    'p',
    { class: `finding ${finding.severity}` },
    `${finding.code}${where} ${finding.note ?? ''}`,
  );
}

/** Every picture address inside the task's detail, so that a reviewer sees what a viewer will see. */
function pictures(task: Task): HTMLElement[] {
  const addresses = new Set<string>();
  JSON.stringify(task, (_key, value: unknown) => {
    if (typeof value === 'string' && /^https?:\/\/[^ ]+\.(png|jpe?g|gif|webp|avif)$/i.test(value)) {
      addresses.add(value);
    }
    return value;
  });
  return [...addresses].map((src) => el('img', { src, alt: 'Creative under review' }));
}
