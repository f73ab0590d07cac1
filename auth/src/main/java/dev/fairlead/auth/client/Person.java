package dev.fairlead.auth.client;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a person logs in.
 *
 * @param clientName shown to the person by servers that the client registers at
 * @param client that was registered before
 * @param clientMetadata where the metadata of the client is published
 * @param redirectPort that the browser comes back to; 0 for a free one
 * @param limit for the person
 * @param browser shows a URL to the person
 */
record Person(
        String clientName,
        @Nullable Client client,
        @Nullable URI clientMetadata,
        int redirectPort,
        Duration limit,
        Consumer<URI> browser) {}
