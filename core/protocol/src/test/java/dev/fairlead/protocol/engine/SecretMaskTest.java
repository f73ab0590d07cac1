package dev.fairlead.protocol.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretMaskTest {
    private static final String SECRET = "S3CRET-value_1.2~3";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"access_token\":\"%s\"}",
                "{\"refresh_token\" : \"%s\", \"a\": 1}",
                "{\"client_secret\":\"%s",
                "{\"a\":{\"password\":\"%s\"}}",
                "{\"Authorization\":\"%s\"}",
                "{\"apiKey\":\"%s\"}",
                "{\"api_key\":\"%s\"}",
                "{\"MCP-Session-Id\":\"%s\"}",
                "{\"set-cookie\":[\"%s\"]}",
                "{\"cookie\":[\"a\", \"%s\"]}",
                "{\"acc\\u0065ss_tok\\u0065n\":\"%s\"}",
                "{\"text\":\"{\\\"p\\\\u0061ssword\\\":\\\"%s\\\"}\"}",
                "/login?back=https%%3A%%2F%%2Fa%%3Fx%%3D1%%26code%%3D%s",
                "{\"text\":\"{\\\"access_token\\\":\\\"%s\\\"}\"}",
                "{\"text\":\"{\\\\\\\"id_token\\\\\\\":\\\\\\\"%s\\\\\\\"}\"}",
                "Authorization: Bearer %s",
                "GET /cb?code=%s&state=1",
                "grant_type=authorization_code&code=1&code_verifier=%s",
                "client_id=a&client_secret=%s&x=1",
                "/messages?sessionId=%s",
                "{\"a\":\"DPoP %s\"}",
                "{\"requestState\":\"%s\"}",
                "{\"text\":\"{\\\"requestState\\\":\\\"%s\\\"}\"}",
                "{\"inputResponses\":{\"name\":{\"action\":\"accept\",\"content\":{\"a\":\"%s\"}}}}",
                "{\"inputResponses\":{\"a\":{},\"}\":[{\"b\":\"]}\\\"}}\"},\"%s\"]},\"c\":1}",
                "{\"inputResponses\":{\"a\\\\\":{},\"b\":\"%s\"}}",
                "{\"inputR\\u0065sponses\" : {\"a\":{\"b\":\"%s",
                "{\"inputResponses\":[\"%s\"]}",
                "{\"inputResponses\":\"}, %s\"}",
                "{\"t\":\"{\\\"inputResponses\\\":{\\\"a\\\\\\\"}}\\\":\\\"%s\\\"}}\"}",
            })
    void aSecretIsMasked(String frame) {
        String masked = SecretMask.mask(frame.formatted(SECRET));

        assertThat(masked).doesNotContain("S3CRET").doesNotContain("value_1").contains("***");
    }

    @Test
    void aJsonWebTokenIsMaskedAnywhere() {
        assertThat(SecretMask.mask("see eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2ln here"))
                .isEqualTo("see eyJ*** here");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"_meta\":{\"progressToken\":\"7\"}}",
                "{\"client\\u0020name\":\"x\"}",
                "{\"maxTokens\":100,\"model\":\"x\"}",
                "{\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"a\"}}}",
                "{\"code\":-32602,\"message\":\"no\"}",
                "{\"properties\":{\"password\":{\"type\":\"string\"}}}"
            })
    void whatIsNoSecretStays(String frame) {
        assertThat(SecretMask.mask(frame)).isEqualTo(frame);
    }

    @Test
    void headersThatGiveAccessAreMasked() {
        assertThat(SecretMask.header("Authorization", "Bearer " + SECRET)).isEqualTo("Bearer ***");
        assertThat(SecretMask.header("authorization", SECRET)).isEqualTo("***");
        assertThat(SecretMask.header("Cookie", "a=" + SECRET)).isEqualTo("***");
        assertThat(SecretMask.header("Set-Cookie", "a=" + SECRET)).isEqualTo("***");
        assertThat(SecretMask.header("MCP-Session-Id", SECRET)).isEqualTo("***");
        assertThat(SecretMask.header("X-Api-Key", SECRET)).isEqualTo("***");
        assertThat(SecretMask.header("X-Forwarded-Authorization", "Basic " + SECRET))
                .isEqualTo("Basic ***");
        assertThat(SecretMask.header("X-Session", SECRET)).isEqualTo("***");
        assertThat(SecretMask.header("Accept", "application/json")).isEqualTo("application/json");
        assertThat(SecretMask.header("WWW-Authenticate", "Bearer realm=\"mcp\""))
                .isEqualTo("Bearer realm=\"mcp\"");
    }

    @Test
    void membersAfterASecretStay() {
        assertThat(SecretMask.mask("{\"token\":\"a\",\"name\":\"b\",\"x\":[\"c\",\"d\"]}"))
                .isEqualTo("{\"token\":\"***\",\"name\":\"b\",\"x\":[\"c\",\"d\"]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "{\"inputResponses\":{\"a\":{\"b\":\"}\"}},\"name\":\"b\"}"
                        + "|{\"inputResponses\":\"***\",\"name\":\"b\"}",
                "{\"inputResponses\":null,\"name\":\"b\"}"
                        + "|{\"inputResponses\":\"***\",\"name\":\"b\"}",
                "{\"name\":\"b\",\"inputResponses\":{}}"
                        + "|{\"name\":\"b\",\"inputResponses\":\"***\"}",
                "{\"name\":\"b\",\"inputResponses\":17}"
                        + "|{\"name\":\"b\",\"inputResponses\":\"***\"}",
                "{\"t\":\"{\\\"inputResponses\\\":{\\\"a\\\":\\\"}\\\"},\\\"n\\\":1}\"}"
                        + "|{\"t\":\"{\\\"inputResponses\\\":\\\"***\\\",\\\"n\\\":1}\"}"
            })
    void answersAreMaskedAsAWholeAndWhatFollowsStays(String frame, String expected) {
        assertThat(SecretMask.mask(frame)).isEqualTo(expected);
    }
}
