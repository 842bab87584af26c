import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import { publishFacts } from '@platform/facts';
import { createSignedLinks, openFiles } from '@platform/files';
import { openJobs } from '@platform/jobs';
import { openMailer, sendMail } from '@platform/mail';
import { openDatabase, untilAvailable } from '@platform/postgres';
import { connect, connectOwners, openGuard, openPeers, openRateLimiter, openRpc, ownersOf } from '@platform/rpc';
import { addressesOf, createSealer, observeQueues, type Start } from '@platform/service';
import { applyRetention, createKeptAnswers, deleteOldAnswers, reportLostKeys } from '@platform/writes';
import { startBusAccounts } from './bus/bus-accounts.ts';
import { busOperator } from './bus/bus-operator.ts';
import { replacedCredentialsLetter, sendReplacedCredentials } from './bus/replaced-credentials.ts';
import type { Config } from './config.ts';
import { prepareFirstStart } from './first-start.ts';
import { sendInvitation, sendInvitationMail } from './invitations/send-invitation.ts';
import { answerRequest, answerSignInRequest } from './mail-links/answer-request.ts';
import { createReadLetterBrand } from './mail-links/letter-brand.ts';
import { methods } from './methods.ts';
import { openProviders } from './oidc/providers.ts';
import { reopenAbandoned } from './organizations/delete-account.ts';
import type { Parts } from './parts.ts';
import { builtInPictures } from './pictures/built-in.ts';
import { createImages } from './pictures/images.ts';
import { removePictures, removeUnusedPictures } from './pictures/remove-pictures.ts';
import { startProjection } from './projection/projection.ts';
import { reportLostStore } from './projection/lost-store.ts';
import { settle } from './projection/settle-or-fail.ts';
import { removeEnded } from './sessions/sessions.ts';
import { accountRights } from './standing/account-rights.ts';
import { createReadStanding } from './standing/identity.ts';
import { openLeases } from './standing/leases.ts';
import { startLastUsed } from './standing/last-used.ts';
import { objectSources } from './standing/object-owners.ts';
import { queues, readQueues } from './status/queues.ts';
import { sendTeamInvitation, sendTeamInvitationMail } from './team-invitations/send.ts';
import { mailEndingTokens, sendTokenEnd, sendTokenEndMail } from './tokens/ending-tokens.ts';
import { sendWebhook } from './events/note-events.ts';
import { deleteOldDeliveries } from './webhooks/queue.ts';
import { sendWaiting, webhookOutbound } from './webhooks/send.ts';
import { createWrite } from './write/write.ts';

export { picks } from './config.ts';

export const start: Start<Config> = async (service, config) => {
  const { log, metrics, readiness, stack } = service;
  const peers = await openPeers(service, config);
  const sealer = createSealer(config.encryptionKeys);
  const migrations = new URL('../migrations/', import.meta.url);
  const database = await openDatabase(service, config, { schema: 'orgs_teams', migrations });
  reportLostKeys(service, database, sealer);
  await untilAvailable(service, () => prepareFirstStart(database, config, log));

  const engine = stack.use(connect(DecisionServiceService, { ...peers, name: 'authz', addresses: config.authz }));
  const ownerServices = connectOwners(peers, addressesOf(config), stack);
  const objects = {
    ...objectSources(database),
    ...Object.fromEntries(ownerServices.flatMap((owner) => owner.types.map((type) => [type, ownersOf(owner, type)]))),
  };

  const projection = stack.use(startProjection({ database, engine, log, metrics }));
  const operator = busOperator(config);
  const bus = stack.use(startBusAccounts({ database, operator, log, metrics, readiness }));
  const lastUsed = stack.use(startLastUsed(database, log));
  const rateLimiter = openRateLimiter(service, config);
  const whyNot = accountRights(config);
  const standing = createReadStanding({ database, tokenKey: config.tokenKey, lastUsed, rateLimiter, whyNot });
  const leases = openLeases(service, config, { database, read: standing, rateLimiter });
  const known = leases.known ?? standing;
  const guard = openGuard(service, config, {
    standing, known, ask: engine.askGrounds, settle: settle({ projection }),
    reportLostStore: reportLostStore({ database, engine }), objects,
  });
  const files = stack.use(await openFiles(config));
  const images = createImages();
  const invitations = createSignedLinks({
    prefix: `${config.baseUrl}/links/invitation/`, purpose: 'platform invitations', secrets: config.encryptionKeys,
  });
  const parts: Parts = {
    config, log, database, sealer, bus, standing, known, projection, engine, ask: engine.askGrounds, ownerServices,
    objects, guard, files, images, invitations, outbound: webhookOutbound(config), providers: openProviders(config),
    builtIn: builtInPictures(images), write: createWrite(database, projection.settle, whyNot),
  };
  const sending = { database, mailer: openMailer(config), links: invitations };
  const mailLinks = { config, database, mailer: sending.mailer, brand: createReadLetterBrand(parts) };
  await openJobs(service, config, database, {
    tasks: [
      sendInvitation.handledBy((wanted, job) => sendInvitationMail(sending, wanted, job)),
      answerSignInRequest.handledBy((wanted, job) => answerRequest(mailLinks, wanted, job)),
      sendTeamInvitation.handledBy((wanted, job) => sendTeamInvitationMail(mailLinks, wanted, job)),
      sendWebhook.handledBy((wanted, job) => sendWaiting(parts, wanted, job)),
      sendTokenEnd.handledBy((wanted, job) => sendTokenEndMail(mailLinks, wanted, job)),
      sendReplacedCredentials.handledBy(({ to, ...replaced }, job) => sendMail(sending.mailer, {
        id: `bus-account/${replaced.busAccountId}`, to, letter: replacedCredentialsLetter(replaced),
      }, job)),
    ],
    schedules: [
      { name: removePictures, everyMs: 60_000, run: ({ deadline }) => removeUnusedPictures(database, files, deadline) },
      { name: 'ended-sessions', everyMs: 60_000, run: ({ deadline }) => removeEnded(database, deadline) },
      { name: 'old-webhook-deliveries', everyMs: 60_000, run: (job) => deleteOldDeliveries(database, job) },
      { name: 'ending-tokens', everyMs: 300_000, run: (job) => mailEndingTokens(database, job) },
      { name: 'audit-retention', everyMs: 60_000, run: (job) => applyRetention(database, config.auditKeep, job) },
      { name: 'old-kept-answers', everyMs: 60_000, run: (job) => deleteOldAnswers(database, job) },
      { name: 'reopen-accounts', everyMs: 15_000, run: () => reopenAbandoned(parts) },
    ],
  });
  observeQueues(metrics, queues, (deadline) => readQueues(database, deadline));
  return openRpc(service, config, {
    ...peers, guard, rateLimiter, told: leases.told, kept: createKeptAnswers(database, config.encryptionKeys),
    services: [...methods(parts), publishFacts(service, database), leases.service],
  });
};
