package dev.fairlead.spring.boot.starter;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;
import java.util.List;

/**
 * The access tokens that the server accepts. If none of these properties is set, and no bean
 * declares it either, it accepts all requests.
 *
 * @param resource URL of the endpoint as clients see it; tokens must be issued for it
 * @param trust issuers of tokens, which are JWTs
 * @param audience other names of the resource that tokens may be issued for
 * @param scopes the scopes that clients should request
 * @param clockSkew how far the clocks of issuers and clients may differ
 * @param requireDpop whether tokens must be bound to a key of the client
 */
@ConfigurationProperties(McpAuthorizationProperties.PREFIX)
record McpAuthorizationProperties(
        @Nullable String resource,
        @DefaultValue List<String> trust,
        @DefaultValue List<String> audience,
        @DefaultValue List<String> scopes,
        @Nullable Duration clockSkew,
        @DefaultValue("false") boolean requireDpop) {
    static final String PREFIX = "fairlead.server.authorization";

    /** The resource, without which nothing can be said about tokens. */
    String requiredResource() {
        if (resource == null) {
            throw new InvalidPropertyException(
                    PREFIX + ".resource is missing: the URL of the endpoint as clients see it");
        }
        return resource;
    }

    /** The issuers; without one every request would be refused. */
    List<String> requiredTrust() {
        if (trust.isEmpty()) {
            throw new InvalidPropertyException(PREFIX + ".trust is missing: the issuers of tokens");
        }
        return trust;
    }
}
