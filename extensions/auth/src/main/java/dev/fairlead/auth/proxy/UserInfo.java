package dev.fairlead.auth.proxy;

import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonString;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Asks the upstream for the user of its access token. */
record UserInfo(Fetch fetch, URI url, String member) implements UpstreamUser {
    @Override
    public Optional<String> subject(String accessToken) throws IOException {
        Fetched answer =
                fetch.get(
                        url,
                        Map.of(
                                "Accept",
                                "application/json",
                                "Authorization",
                                "Bearer " + accessToken));
        if (answer.status() != 200) {
            throw new IOException("the answer names no user: " + answer);
        }
        return switch (answer.json().get(member)) {
            case JsonString text when !text.value().isBlank() -> Optional.of(text.value());
            case JsonNumber number -> Optional.of(number.toString());
            case null, default -> throw new IOException("who has logged in has no " + member);
        };
    }
}
