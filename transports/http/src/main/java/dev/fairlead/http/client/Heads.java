package dev.fairlead.http.client;

import dev.fairlead.http.blocking.HeaderFields;
import dev.fairlead.http.blocking.OutgoingRequest;
import dev.fairlead.protocol.engine.SecretMask;

/** Heads of requests and responses as they are logged, with secrets masked. */
final class Heads {
    private Heads() {}

    static String of(OutgoingRequest request) {
        return request.method() + " " + request.uri() + headers(request.headers());
    }

    static String of(Answer answer) {
        return answer.status() + headers(answer.headers());
    }

    private static String headers(HeaderFields headers) {
        StringBuilder text = new StringBuilder();
        headers.forEach(
                (name, value) ->
                        text.append(", ")
                                .append(name)
                                .append(": ")
                                .append(SecretMask.header(name, value)));
        return text.toString();
    }
}
