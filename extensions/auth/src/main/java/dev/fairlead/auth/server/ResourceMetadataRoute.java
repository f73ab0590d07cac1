package dev.fairlead.auth.server;

import com.nimbusds.jose.JWSAlgorithm;

import dev.fairlead.auth.wire.PublicDocument;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Serves the metadata of the resource, which names the authorization servers (RFC 9728). */
final class ResourceMetadataRoute {
    private static final String ROOT = "/.well-known/oauth-protected-resource";

    private ResourceMetadataRoute() {}

    /**
     * Returns the routes of the metadata: at the root, and where the path of the resource is
     * inserted.
     */
    static List<Route> of(ResourceOptions options) {
        PublicDocument document = new PublicDocument(document(options));
        return Stream.of(path(options.resource), ROOT).distinct().map(document::at).toList();
    }

    private static JsonObject document(ResourceOptions options) {
        JsonObject document =
                JsonObject.of(
                        "resource", options.resource.toString(),
                        "authorization_servers", array(options.issuers),
                        "bearer_methods_supported", array(List.of("header")));
        if (!options.scopes.isEmpty()) {
            document = document.with("scopes_supported", array(options.scopes));
        }
        if (options.requiresDpop) {
            document = document.with("dpop_bound_access_tokens_required", JsonValue.of(true));
        }
        return document.with(
                "dpop_signing_alg_values_supported",
                array(Signatures.ALGORITHMS.stream().map(JWSAlgorithm::getName).toList()));
    }

    /** Returns the URL at which the metadata is announced. */
    static String url(URI resource) {
        return resource.getScheme() + "://" + resource.getRawAuthority() + path(resource);
    }

    private static String path(URI resource) {
        String path = resource.getRawPath();
        return path.equals("/") ? ROOT : ROOT + path;
    }

    private static JsonArray array(Collection<String> texts) {
        return new JsonArray(texts.stream().map(JsonValue::of).toList());
    }
}
