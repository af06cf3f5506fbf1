import { Anchor, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Site } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import { CopyCode } from '../../../../parts/copy-code.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Section } from '../../../../parts/section.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { adsTxt, verify } from '../../../../queries/publisher/site.ts';
import { site } from '../../../../texts/site.ts';
import { VerificationRound } from './-verification-round.tsx';

/** What the site's own ads.txt has to say about us, and whether it was seen there. */
export function AdsTxt({ row }: { row: Site }) {
  const t = useTexts(site);
  const { mutateAsync } = useWrite(verify);
  const [asked, setAsked] = useState<number>();
  const isChecked = row.verify_status === 'VERIFIED' && row.verify_method === 'ADS_TXT';
  return (
    <Loaded query={adsTxt(row.id)} height={100}>
      {({ file, location, line, sellers_json_url: sellers }) => (
        <Section title={file} lead={t.adsTxtLead}>
          {location === null ? (
            <Text size="sm">{t.adsTxtNoPlace}</Text>
          ) : (
            <Stack gap="sm" maw="44rem">
              <CopyCode label={t.where} code={location} />
              <CopyCode label={t.adsTxtLine} code={line} />
              {asked !== undefined && <VerificationRound id={asked} row={row} method="ADS_TXT" />}
              {(isChecked || asked === undefined) && (
                <Text size="sm">{isChecked ? t.adsTxtChecked : t.adsTxtUnchecked}</Text>
              )}
              {!isChecked && row.verify_status === 'VERIFIED' && (
                <div>
                  <ActionButton
                    size="compact-sm"
                    variant="default"
                    action={{
                      label: t.checkAdsTxt(file),
                      run: async () => {
                        const { operation } = await mutateAsync({
                          path: { id: row.id },
                          body: { method: 'ADS_TXT' },
                        });
                        setAsked(operation.id);
                      },
                    }}
                  />
                </div>
              )}
            </Stack>
          )}
          <Text size="sm" c="dimmed">
            {t.sellers}{' '}
            <Anchor href={sellers} target="_blank" rel="noreferrer" inherit underline="always">
              sellers.json
            </Anchor>
          </Text>
        </Section>
      )}
    </Loaded>
  );
}
