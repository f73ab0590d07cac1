package dev.fairlead.auth.fetch;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.time.LimitedLog;

import java.lang.System.Logger.Level;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;

/** Reads the keys that an issuer publishes (RFC 7517). Safe for use by several threads. */
public final class PublishedKeys {
    private static final System.Logger LOGGER = System.getLogger(PublishedKeys.class.getName());

    private final String issuer;
    private volatile String leftOut = ""; // of the set that was read last

    public PublishedKeys(String issuer) {
        this.issuer = issuer;
    }

    /**
     * Reads a set of keys. A key that cannot be used costs itself alone (RFC 7517, 5), and is named
     * in a WARNING when it is new.
     *
     * @throws ParseException if it is no set of keys, or none of them can be used
     */
    public JWKSet read(String json) throws ParseException {
        List<JWK> usable = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        int place = 0;
        for (JsonValue key : elements(json)) {
            try {
                usable.add(JWK.parse(key.toString()));
            } catch (ParseException | RuntimeException e) { // the library throws either
                faults.add("keys[" + place + "]: " + e.getMessage());
            }
            place++;
        }
        String faulty = PlainText.of(String.join("; ", faults));
        if (usable.isEmpty() && !faults.isEmpty()) {
            throw new ParseException("no key can be used: " + faulty, 0);
        }
        report(faulty);
        return new JWKSet(usable);
    }

    private static JsonArray elements(String json) throws ParseException {
        try {
            if (JsonValue.parse(json) instanceof JsonObject set
                    && set.get("keys") instanceof JsonArray keys) {
                return keys;
            }
        } catch (JsonException e) {
            throw new ParseException(e.getMessage(), 0);
        }
        throw new ParseException("there is no list of keys", 0);
    }

    private void report(String faulty) {
        if (!faulty.isEmpty() && !faulty.equals(leftOut)) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    issuer,
                    "The issuer {0} publishes keys that cannot be used; they are left out: {1}",
                    issuer,
                    faulty);
        }
        leftOut = faulty;
    }
}
