package dev.fairlead.auth.wire;

import com.nimbusds.jwt.SignedJWT;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads signed tokens in the one way in which they can be written (RFC 7515, 3.1 and RFC 7519): two
 * texts that differ are never the same token, so a record by the text of a token cannot be bypassed
 * by another spelling.
 */
public final class CompactJwt {
    /** Three parts of base64url without padding, whitespace or characters of the usual alphabet. */
    private static final Pattern FORM =
            Pattern.compile("([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)");

    /**
     * The members of a header that change how the token is read, or contain a key. None is
     * supported: the signed text alone is the token. Others are ignored, as RFC 7515 (4.2) demands.
     */
    private static final Set<String> CHANGING =
            Set.of(
                    "crit", "b64", "zip", "enc", "cty", "jwk", "epk", "apu", "apv", "iv", "tag",
                    "p2s", "p2c", "skid");

    /**
     * The members that name the place of a key. Some issuers send them in each token. They are
     * ignored there, since keys come from the metadata of the issuer alone; a proof needs none.
     */
    private static final Set<String> PLACES = Set.of("jku", "x5u", "x5c");

    private static final String KEY = "jwk";

    private CompactJwt() {}

    /**
     * Reads an access token or an ID token, whose signature is not verified yet. Nothing is
     * decompressed.
     *
     * @throws ParseException if it is not written as it should be, or its header has a member that
     *     changes the reading; the message contains no part of the token
     */
    public static SignedJWT parse(String token) throws ParseException {
        return parse(token, CHANGING);
    }

    /**
     * Reads a proof, whose header contains its key.
     *
     * @throws ParseException as {@link #parse}
     */
    public static SignedJWT parseProof(String proof) throws ParseException {
        Set<String> others = new TreeSet<>(CHANGING);
        others.addAll(PLACES);
        others.remove(KEY);
        return parse(proof, others);
    }

    private static SignedJWT parse(String token, Set<String> forbidden) throws ParseException {
        Matcher parts = FORM.matcher(token);
        if (!parts.matches()) {
            throw new ParseException("A signed token has three parts in base64url", 0);
        }
        for (int i = 1; i <= parts.groupCount(); i++) {
            requireCanonical(parts.group(i));
        }
        requireHeader(parts.group(1), forbidden);
        return SignedJWT.parse(token);
    }

    /**
     * Checks the members in their written form: a library leaves out values that it takes for
     * usual.
     */
    private static void requireHeader(String part, Set<String> forbidden) throws ParseException {
        try {
            String text = new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
            JsonValue header = JsonValue.parse(text);
            for (String member : ((JsonObject) header).names()) {
                if (forbidden.contains(member)) {
                    throw new ParseException("The header of a token must not have " + member, 0);
                }
            }
        } catch (JsonException | ClassCastException e) {
            throw new ParseException("The header of a token is no JSON object", 0);
        }
    }

    /** The bits that belong to no byte must be zero. */
    private static void requireCanonical(String part) throws ParseException {
        byte[] text = part.getBytes(StandardCharsets.US_ASCII);
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            if (Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(part)) {
                return;
            }
        } catch (IllegalArgumentException e) {
            // a length that base64url cannot have
        }
        throw new ParseException("A part of a signed token is no canonical base64url", 0);
    }
}
