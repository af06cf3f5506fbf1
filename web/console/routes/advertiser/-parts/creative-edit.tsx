import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Creative } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { missingOf } from '../../../may/inventory.ts';
import { EditForm, ifMatch } from '../../../parts/edit-form.tsx';
import { TextField } from '../../../parts/fields.tsx';
import { Preview } from '../../../parts/preview.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { told } from '../../../parts/toast.ts';
import { one, save } from '../../../queries/advertiser/creative.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { common } from '../../../texts/common.ts';
import { contentFrom, contentOf, type Content } from './creative-content.ts';
import { history } from '../../../texts/history.ts';
import { SourceFields } from './creative-source.tsx';

/** An edit of what is seen makes a new version; the approved one serves on meanwhile. */
export function CreativeEdit({ row, onDone }: { row: Creative; onDone: () => void }) {
  const t = useTexts(creativeTexts);
  const c = useTexts(common);
  const queries = useQueryClient();
  const { mutateAsync } = useWrite(save);
  return (
    <EditForm<Content, Creative>
      route="PUT /api/advertiser/creatives/{id}"
      row={row}
      valuesOf={contentFrom}
      names={useTexts(history).fields}
      reread={async () => await queries.fetchQuery({ ...one(row.id), staleTime: 0 })}
      save={async (values, version) => {
        const saved = await mutateAsync({
          path: { id: row.id },
          headers: ifMatch(version),
          body: contentOf(row.creative_type, values),
        });
        told(saved.revision === row.revision ? t.saved : t.savedRevision);
        onDone();
      }}
      // Opened for what is missing, or from above what the reviewers say: it may stand out of sight.
      focusOn={missingOf(row)[0] ?? 'name'}
      cancel={
        <Button variant="default" onClick={onDone}>
          {c.cancel}
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        {row.creative_type === 'text'
          ? t.wordsInAds
          : row.approved_revision === null
            ? t.editHelpNew
            : t.editHelp}
      </Text>
      <TextField name="name" label={t.name} required />
      <Preview creative={row} />
      <SourceFields kind={row.creative_type} />
    </EditForm>
  );
}
