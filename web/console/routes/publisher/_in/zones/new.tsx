import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import type { AdFormat, Site } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Form } from '../../../../parts/form.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { list as listSites } from '../../../../queries/publisher/site.ts';
import { create, formats } from '../../../../queries/publisher/zone.ts';
import { zone } from '../../../../texts/zone.ts';
import { titles } from '../../../../texts/titles.ts';
import { ZoneFields } from './-zone-fields.tsx';
import { ZonePicture } from './-zone-picture.tsx';
import { TYPES, type ZoneType } from './-zone-types.ts';
import { askOf, newValues, type ZoneValues } from './-zone-values.ts';
import classes from './zone-picture.module.css';

const APPROVED = listSites({ audit_status: 'APPROVED', status: 'ACTIVE', page_size: 100 });

export const Route = createFileRoute('/publisher/_in/zones/new')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({ type: oneOf(TYPES, raw['type']), site_id: numberOf(raw['site_id']) }),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(APPROVED);
    void queryClient.prefetchQuery(formats);
  },
  staticData: { title: (language) => titles[language].zoneAdd },
  component: NewZone,
});

function NewZone() {
  const t = useTexts(zone);
  const { type } = Route.useSearch();
  return (
    <Page title={t.add} lead={t.addLead} crumbs={[{ text: t.title, to: '/publisher/zones' }]}>
      <Loaded query={APPROVED}>
        {({ items: sites }) =>
          sites.length === 0 ? (
            <Stack align="flex-start">
              <Text>{t.noSite}</Text>
              <ButtonLink to="/publisher/sites">{t.toSites}</ButtonLink>
            </Stack>
          ) : type === undefined ? (
            <TypeCards />
          ) : (
            <Loaded query={formats}>
              {({ items }) => <Details key={type} type={type} sites={sites} formats={items} />}
            </Loaded>
          )
        }
      </Loaded>
    </Page>
  );
}

/** Each a link, so that Back leads to them again. */
function TypeCards() {
  const t = useTexts(zone);
  return (
    <Stack gap="sm">
      <Title order={2}>{t.chooseType}</Title>
      <div className={classes['cards']}>
        {TYPES.map((type) => (
          <Link
            key={type}
            to="/publisher/zones/new"
            search={(was) => ({ ...was, type })}
            className={classes['card']}
          >
            <ZonePicture type={type} />
            <span>
              <Text fw={600} component="span" display="block">
                {t.types[type].name}
              </Text>
              <Text size="sm" c="dimmed" component="span" display="block">
                {t.types[type].lead}
              </Text>
            </span>
          </Link>
        ))}
      </div>
    </Stack>
  );
}

function Details({
  type,
  sites,
  formats: known,
}: {
  type: ZoneType;
  sites: readonly Site[];
  formats: readonly AdFormat[];
}) {
  const t = useTexts(zone);
  const { site_id: wanted } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(create);
  return (
    <Stack gap="sm">
      <Group gap="md" wrap="nowrap">
        <ZonePicture type={type} />
        <div>
          <Title order={2}>{t.types[type].name}</Title>
          <Text size="sm">{t.types[type].lead}</Text>
          <Button
            variant="subtle"
            size="compact-sm"
            px={0}
            onClick={() =>
              void navigate({ search: (was) => ({ ...was, type: undefined }) as never })
            }
          >
            {t.changeType}
          </Button>
        </div>
      </Group>
      <Form<ZoneValues>
        route="POST /api/publisher/zones"
        values={newValues(type, {
          name: t.nameFor(t.types[type].name),
          siteId: wanted ?? sites[0]?.id ?? null,
          formats: known,
        })}
        submit={t.create}
        send={async (values) => {
          const { id } = await mutateAsync({
            body: { ...askOf(type, values, known), type, site_id: values.site_id ?? 0 },
          });
          await navigate({ href: `/publisher/zones/${id}`, ignoreBlocker: true });
        }}
      >
        <ZoneFields type={type} formats={known} isNew />
      </Form>
    </Stack>
  );
}
