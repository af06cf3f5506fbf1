import { lazy, Suspense, useRef, useState } from 'react';
import type { Realm } from '../session.ts';
import { common } from '../texts/common.ts';
import { Drop } from './drop.tsx';
import { IconButton } from './icon-button.tsx';
import { useTexts } from './texts.ts';

/** With the fields that forms have: not before somebody asks. */
const Fields = lazy(async () => {
  const { PreferencesFields } = await import('./preferences-fields.tsx');
  return { default: PreferencesFields };
});

/** Theme, language and time zone: of whoever is logged in in a realm, or of this browser. */
export function PreferencesMenu({ realm }: { realm?: Realm }) {
  const t = useTexts(common);
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={target}
        aria-label={t.preferences}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={() => setOpened((was) => !was)}
      >
        <span aria-hidden>◐</span>
      </IconButton>
      {opened && (
        <Drop
          target={target}
          align="end"
          width={240}
          padding={12}
          role="dialog"
          aria-label={t.preferences}
          close={() => setOpened(false)}
        >
          <Suspense>
            <Fields realm={realm} />
          </Suspense>
        </Drop>
      )}
    </>
  );
}
