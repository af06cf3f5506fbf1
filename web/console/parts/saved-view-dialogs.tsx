import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { RouteName } from '../../client/client.ts';
import type { SavedView } from '../../client/routes.ts';
import { useWrite } from '../api.ts';
import type { Realm } from '../session.ts';
import { common } from '../texts/common.ts';
import { viewTexts } from '../texts/view.ts';
import { ActionMenu } from './action-menu.tsx';
import { Dialog } from './dialog.tsx';
import { ifMatch } from './edit-form.tsx';
import { TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { isSame, type Search, searchOf, viewsOf } from './saved-views.ts';
import classes from './saved-views.module.css';
import { useMarks, useTexts } from './texts.ts';
import { told } from './toast.ts';

export interface Here {
  realm: Realm;
  /** As the API keeps its views under. */
  page: string;
  to: string;
  search: Search;
}

export function NewView({ here, close }: { here: Here; close: () => void }) {
  const t = useTexts(viewTexts);
  const { mutateAsync } = useWrite(viewsOf(here.realm).add);
  return (
    <NameDialog
      title={t.saveTitle}
      route={`POST /api/${here.realm}/saved-views`}
      help={t.saveHelp}
      name=""
      close={close}
      send={async (name) => {
        await mutateAsync({ body: { page: here.page, name, state: { search: here.search } } });
        told(t.saved);
      }}
    />
  );
}

interface Asked {
  what: 'rename' | 'remove';
  view: SavedView;
}

/** Each with what can be done with it; one window after another, not one in another. */
export function Management(props: { views: readonly SavedView[]; here: Here; close: () => void }) {
  const { views, here, close } = props;
  const t = useTexts(viewTexts);
  const [asked, ask] = useState<Asked | null>(null);
  const { mutateAsync } = useWrite(viewsOf(here.realm).save);
  if (asked?.what === 'remove') {
    return <Removal view={asked.view} realm={here.realm} close={() => ask(null)} />;
  }
  if (asked !== null) {
    const { id, name: before, version } = asked.view;
    return (
      <NameDialog
        title={t.renameTitle(before)}
        route={`PUT /api/${here.realm}/saved-views/{id}`}
        name={before}
        close={() => ask(null)}
        send={async (name) => {
          await mutateAsync({ path: { id }, headers: ifMatch(version), body: { name } });
          told(t.renamed);
        }}
      />
    );
  }
  return (
    <Dialog onClose={close} title={t.manageTitle}>
      <ul className={classes['list']}>
        {views.map((view) => (
          <Managed
            key={view.id}
            {...{ view, here, close }}
            ask={(what) => {
              ask({ what, view });
            }}
          />
        ))}
      </ul>
      {views.length === 0 && <Text size="sm">{t.none}</Text>}
    </Dialog>
  );
}

function Managed(props: {
  view: SavedView;
  here: Here;
  ask: (what: Asked['what']) => void;
  close: () => void;
}) {
  const { view, here, ask, close } = props;
  const t = useTexts(viewTexts);
  const marks = useMarks();
  const { save, remove } = viewsOf(here.realm);
  const { mutateAsync } = useWrite(save);
  const begin = async (what: Asked['what']): Promise<void> => {
    ask(what);
    await Promise.resolve();
  };
  return (
    <li>
      <Anchor
        size="sm"
        onClick={close}
        renderRoot={(props_) => <Link to={here.to} search={searchOf(view) as never} {...props_} />}
      >
        {view.name}
        {view.is_shared && `${marks.open}${t.isShared}${marks.close}`}
      </Anchor>
      <ActionMenu
        of={view.name}
        actions={[
          { label: t.rename, route: save.route, run: async () => await begin('rename') },
          {
            label: t.replace,
            route: save.route,
            refusal: isSame(searchOf(view), here.search) ? t.isShown : null,
            run: async () =>
              await mutateAsync({
                path: { id: view.id },
                headers: ifMatch(view.version),
                body: { state: { search: here.search } },
              }),
            done: t.replaced,
          },
          {
            label: view.is_shared ? t.unshare : t.share,
            route: save.route,
            run: async () =>
              await mutateAsync({
                path: { id: view.id },
                headers: ifMatch(view.version),
                body: { is_shared: !view.is_shared },
              }),
            done: view.is_shared ? t.unshared : t.shared,
          },
          {
            label: t.remove,
            route: remove.route,
            run: async () => await begin('remove'),
            danger: true,
          },
        ]}
      />
    </li>
  );
}

function Removal(props: { view: SavedView; realm: Realm; close: () => void }) {
  const { view, realm, close } = props;
  const t = useTexts(viewTexts);
  const c = useTexts(common);
  const { remove } = viewsOf(realm);
  const { mutateAsync } = useWrite(remove);
  return (
    <Dialog onClose={close} title={t.removeTitle(view.name)}>
      <Form<Record<string, never>>
        route={remove.route}
        values={{}}
        guarded={false}
        submit={t.remove}
        send={async () => {
          await mutateAsync({ path: { id: view.id }, headers: ifMatch(view.version) });
          told(t.removed);
          close();
        }}
        cancel={
          <Button variant="default" onClick={close}>
            {c.cancel}
          </Button>
        }
      >
        <Text size="sm">{t.removeBody}</Text>
      </Form>
    </Dialog>
  );
}

function NameDialog(props: {
  title: string;
  help?: string;
  name: string;
  route: RouteName;
  send: (name: string) => Promise<void>;
  close: () => void;
}) {
  const { title, help, name: before, route, send, close } = props;
  const t = useTexts(viewTexts);
  const c = useTexts(common);
  return (
    <Dialog onClose={close} title={title}>
      <Stack>
        <Form<{ name: string }>
          route={route}
          values={{ name: before }}
          guarded={false}
          send={async ({ name }) => {
            await send(name);
            close();
          }}
          cancel={
            <Button variant="default" onClick={close}>
              {c.cancel}
            </Button>
          }
        >
          <TextField name="name" label={t.name} help={help} maxLength={100} required />
        </Form>
      </Stack>
    </Dialog>
  );
}
