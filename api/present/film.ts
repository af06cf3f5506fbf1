import type * as yup from 'yup';
import { FILM_REFUSALS, type FilmChain, HOP_OUTCOMES } from '../../domain/creative/film-chain.ts';
import {
  fraction,
  listOf,
  oneOf,
  oneOfOrNull,
  record,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

/** interface 5.2: the way to a film that another server has, hop by hop. */
export const filmChainShape = record(
  {
    hops: listOf(
      record({
        address: words(),
        outcome: oneOf(HOP_OUTCOMES),
        refusal: oneOfOrNull(FILM_REFUSALS),
        /** The status that was refused, or what a document must be and is not. */
        detail: wordsOrNull(),
      }),
    ),
    film: record({
      duration_seconds: fraction(),
      media_files: listOf(
        record({
          url: words(),
          type: words(),
          width: whole(),
          height: whole(),
          bitrate_kbps: wholeOrNull(),
        }),
      ),
    }).nullable(),
  },
  'FilmChain',
);

export const presentFilmChain = ({
  hops,
  film,
}: FilmChain): yup.InferType<typeof filmChainShape> => ({
  hops: hops.map(({ address, outcome, refusal, detail }) => ({
    address,
    outcome,
    refusal,
    detail,
  })),
  film:
    film === null
      ? null
      : {
          duration_seconds: film.durationSeconds,
          media_files: film.mediaFiles.map(({ url, mime, width, height, bitrateKbps }) => ({
            url,
            type: mime,
            width,
            height,
            bitrate_kbps: bitrateKbps,
          })),
        },
});
