/**
 * Loaded before a process of the service (`node --import`): breaks one module of it, as the variant that
 * `CHAOS_VARIANT` names says.
 */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Probe threads have hooks of their own, and none of the modules that variants change.
if (isMainThread) register('./variant-hooks.js', import.meta.url, { data: process.env.CHAOS_VARIANT });
