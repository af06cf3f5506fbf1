import { Loaded } from '../../../parts/loaded.tsx';
import { Preview } from '../../../parts/preview.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { revisions } from '../../../queries/advertiser/creative.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { history } from '../../../texts/history.ts';
import { type Chosen, ComparedRevisions } from './compared-revisions.tsx';
import { seenOf } from './creative-content.ts';

/** What of a creative viewers saw, see and may see. */
export function CreativeRevisions({ id, ...chosen }: Chosen & { id: number }) {
  const t = useTexts(creativeTexts);
  const names = useTexts(history).fields;
  return (
    <Loaded query={revisions(id)} height={240}>
      {({ items }) => (
        <ComparedRevisions
          {...chosen}
          subject="creative"
          all={items}
          names={names}
          seenOf={seenOf}
          show={(each) => (
            <Preview creative={{ ...each, name: `${t.revision} ${each.revision}` }} />
          )}
        />
      )}
    </Loaded>
  );
}
