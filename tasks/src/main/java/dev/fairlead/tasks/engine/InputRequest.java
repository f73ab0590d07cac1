package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;

/**
 * Something that a run asks its requestor.
 *
 * @param method such as {@code elicitation/create}
 * @param params its parameters, an object
 */
public record InputRequest(String method, RawJson params) {}
