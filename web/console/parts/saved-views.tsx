import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useMatches, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { SavedView } from '../../client/routes.ts';
import { FOLDERS, type Realm } from '../session.ts';
import { viewTexts } from '../texts/view.ts';
import { Menu, MenuDivider, MenuItem, MenuLabel, MenuLink } from './menu.tsx';
import type { Here } from './saved-view-dialogs.tsx';
import { isSame, kept, searchOf, viewsOf } from './saved-views.ts';
import classes from './saved-views.module.css';
import { useMarks, useTexts } from './texts.ts';

const dialogs = async () => await import('./saved-view-dialogs.tsx');
/** With all that forms are made of: not before somebody asks. */
const NewView = lazy(async () => ({ default: (await dialogs()).NewView }));
const Management = lazy(async () => ({ default: (await dialogs()).Management }));

/** What a list shows is its address; a view is a name for it. Of pages whose route names `views`. */
export function SavedViews() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.views });
  const { pathname } = useLocation();
  const asked = useSearch({ strict: false });
  const realm = (Object.keys(FOLDERS) as Realm[]).find((each) =>
    pathname.startsWith(`/${FOLDERS[each]}`),
  );
  if (page === undefined || realm === undefined) return null;
  // A view is of a report; the list of those that come by mail is at the same address.
  if ('schedules' in asked && asked.schedules !== undefined) return null;
  return <ViewMenu here={{ realm, page, to: pathname, search: kept(asked) }} />;
}

function ViewMenu({ here }: { here: Here }) {
  const t = useTexts(viewTexts);
  const { data } = useQuery(viewsOf(here.realm).list(here.page));
  const [saving, save] = useDisclosure();
  const [managing, manage] = useDisclosure();
  const views = data?.items ?? [];
  const own = views.filter((view) => view.is_own);
  const shown = views.find((view) => isSame(searchOf(view), here.search));
  return (
    <>
      <Menu
        button={(props) => (
          <Button variant="default" data-opens {...props}>
            {shown === undefined ? t.views : t.current(shown.name)}
          </Button>
        )}
      >
        <div className={classes['menu']}>
          {views.length === 0 && <MenuLabel>{t.none}</MenuLabel>}
          {views.map((view) => (
            <ViewItem key={view.id} {...{ view, here }} isShown={view === shown} />
          ))}
          <MenuLink to={here.to} search={{} as never}>
            {t.all}
          </MenuLink>
          <MenuDivider />
          <MenuItem onClick={save.open}>{t.save}</MenuItem>
          {own.length > 0 && <MenuItem onClick={manage.open}>{t.manage}</MenuItem>}
        </div>
      </Menu>
      <Suspense>
        {saving && <NewView here={here} close={save.close} />}
        {managing && <Management views={own} here={here} close={manage.close} />}
      </Suspense>
    </>
  );
}

function ViewItem(props: { view: SavedView; here: Here; isShown: boolean }) {
  const { view, here, isShown } = props;
  const t = useTexts(viewTexts);
  const { open, close } = useMarks();
  return (
    <MenuLink
      to={here.to}
      search={searchOf(view) as never}
      aria-current={isShown ? 'true' : undefined}
    >
      {view.name}
      {view.is_shared && `${open}${t.isShared}${close}`}
      {isShown && <span aria-hidden> ✓</span>}
    </MenuLink>
  );
}
