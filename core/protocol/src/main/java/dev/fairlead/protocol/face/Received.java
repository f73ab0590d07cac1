package dev.fairlead.protocol.face;

import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

/**
 * Received parameters, without the members that only the wire has.
 *
 * @param params the parameters, without reserved {@code _meta} keys of requests
 * @param progressToken the token under which progress is wanted; null where none is
 */
public record Received<P extends RequestParams>(P params, @Nullable ProgressToken progressToken) {}
