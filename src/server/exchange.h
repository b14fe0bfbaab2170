// One HTTP request and its answer, as the DynamoDB protocol has them: which operation is meant,
// content codings, and the headers of an answer.
#ifndef OD_SERVER_EXCHANGE_H
#define OD_SERVER_EXCHANGE_H

#include "http/http.h"

// The operation that a POST asks for, and its body with the content coding removed. False when the
// request has been answered here: health checks, preflights, and what is no call.
bool od_exchange_open(struct od_http_request *request, od_str *operation, od_str *body);

// The operation that the head asks for. False when it asks for none.
bool od_exchange_operation(const struct od_http_request *head, od_str *operation);

// Answers with a JSON body, in the content type and coding that the request asks for.
void od_exchange_answer(struct od_http_request *request, int status, od_str body);

// The host and port that the client used, for answers that name the endpoint.
od_str od_exchange_endpoint(const struct od_http_request *request);

#endif
