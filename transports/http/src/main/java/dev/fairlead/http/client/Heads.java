package dev.fairlead.http.client;

import dev.fairlead.protocol.engine.SecretMask;

import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;

/** Heads of requests and responses as they are logged, with secrets masked. */
final class Heads {
    private Heads() {}

    static String of(HttpRequest request) {
        return request.method() + " " + request.uri() + headers(request.headers());
    }

    static String of(Answer answer) {
        return answer.status() + headers(answer.headers());
    }

    private static String headers(HttpHeaders headers) {
        StringBuilder text = new StringBuilder();
        headers.map()
                .forEach(
                        (name, values) ->
                                values.forEach(
                                        value ->
                                                text.append(", ")
                                                        .append(name)
                                                        .append(": ")
                                                        .append(SecretMask.header(name, value))));
        return text.toString();
    }
}
