package dev.fairlead.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.auth.server.ResourceServer;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A resource server by properties. */
@Timeout(600)
final class AuthorizationTest {
    private static final String RESOURCE =
            "fairlead.server.authorization.resource=https://reports.example/mcp";
    private static final String TRUST =
            "fairlead.server.authorization.trust=https://login.example,https://other.example";

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Reports {
        @Bean
        McpServer server() {
            return McpServer.named("reports", "1").build();
        }
    }

    private final ApplicationContextRunner contexts =
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(McpAuthorizationAutoConfiguration.class));

    private static HttpResponse<String> get(ConfigurableApplicationContext application, String path)
            throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create(Apps.url(application, path))).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void propertiesSayWhichTokensAreTaken() throws Exception {
        try (ConfigurableApplicationContext application =
                Apps.web(
                        Reports.class,
                        RESOURCE,
                        TRUST,
                        "fairlead.server.authorization.scopes=reports:read",
                        "fairlead.server.authorization.audience=api://reports",
                        "fairlead.server.authorization.clock-skew=5s",
                        "fairlead.server.authorization.require-dpop=true")) {
            HttpResponse<String> refused = get(application, "/mcp");

            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate").orElse(""))
                    .startsWith("DPoP scope=\"reports:read\", resource_metadata=");
            assertThat(get(application, "/.well-known/oauth-protected-resource/mcp").body())
                    .contains(
                            "\"resource\":\"https://reports.example/mcp\"",
                            "[\"https://login.example\",\"https://other.example\"]");
        }
    }

    @Test
    void withoutThemTheApplicationDecides() {
        contexts.run(context -> assertThat(context).doesNotHaveBean(HttpAuthorization.class));
        HttpAuthorization own = ResourceServer.at("https://own.example/mcp");
        contexts.withBean(HttpAuthorization.class, () -> own)
                .withPropertyValues(RESOURCE, TRUST)
                .run(context -> assertThat(context.getBean(HttpAuthorization.class)).isSameAs(own));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "trust=https://login.example"
                        + "|fairlead.server.authorization.resource is missing: the URL of the"
                        + " endpoint as clients see it",
                "require-dpop=true"
                        + "|fairlead.server.authorization.resource is missing: the URL of the"
                        + " endpoint as clients see it",
                "resource=https://reports.example/mcp"
                        + "|fairlead.server.authorization.trust is missing: the issuers of tokens"
            })
    void whatIsSaidInPartEndsTheStart(String property, String problem) {
        contexts.withPropertyValues("fairlead.server.authorization." + property)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessage(problem));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resource=reports | a resource is a URL such as https://reports.example/mcp but was"
                        + " reports",
                "trust=login | an issuer is a URL such as https://login.example but was login",
                "clock-skew=-1s | clockSkew must not be negative but was -1 s",
                "scopes=offline_access | offline_access is a scope that clients request, and none"
                        + " of a resource"
            })
    void aPropertyThatCannotBeUsedIsNamed(String property, String reason) {
        String name =
                "fairlead.server.authorization." + property.substring(0, property.indexOf('='));
        contexts.withPropertyValues(RESOURCE, TRUST, "fairlead.server.authorization." + property)
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .hasStackTraceContaining(
                                                name + " cannot be used: " + reason));
    }

    @Test
    void withoutTheLibraryTheServerDoesNotStart() {
        contexts.withClassLoader(new FilteredClassLoader("dev.fairlead.auth"))
                .withPropertyValues(RESOURCE, TRUST)
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .rootCause()
                                        .hasMessage(
                                                "fairlead.server.authorization needs"
                                                        + " dev.fairlead:fairlead-auth on the class"
                                                        + " path"));
    }
}
